"""Asks an Agon server for verdicts. Only the standard library is needed."""

import json
import os
import urllib.error
import urllib.request


class AgonError(RuntimeError):
    """What the server refused, with its code and what to do about it."""

    def __init__(self, code, message, hint=None):
        super().__init__(f"{message} {hint or ''}".strip() + f" ({code})")
        self.code = code
        self.hint = hint


def evaluate(messages, model=None, url=None, key=None, method=None, timeout=600):
    """Judges a conversation that ends with an answer of the model, and returns Agon's answer as a dictionary.

    messages: a list of {"role", "content"}; url: the server (AGON_URL, or http://127.0.0.1:4100);
    key: its key (AGON_API_KEY), which a server on this machine does not ask for; method: "guard" for the embedded
    judge alone, "debate" and others as the server has them.
    """
    url = (url or os.environ.get("AGON_URL") or "http://127.0.0.1:4100").rstrip("/")
    key = key or os.environ.get("AGON_API_KEY")
    body = {"messages": messages}
    if model:
        body["model"] = model
    if method:
        body["method"] = method
    headers = {"content-type": "application/json", "accept": "application/json"}
    if key:
        headers["authorization"] = f"Bearer {key}"
    request = urllib.request.Request(f"{url}/api/jobs/evaluation/cases", json.dumps(body).encode(), headers, method="POST")
    try:
        with urllib.request.urlopen(request, timeout=timeout) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        raise read_problem(error) from None


def read_problem(error):
    """The server's problem+json as an AgonError."""
    try:
        problem = json.load(error)
    except ValueError:
        problem = {}
    code = problem.get("code") or f"http-{error.code}"
    return AgonError(code, problem.get("title") or str(error.reason), problem.get("detail"))


def summarize(answer):
    """What a scorer keeps of an answer: label, risk, clauses, reason and the case's id."""
    verdict = answer["verdict"]
    return {
        "case": answer["id"],
        "label": verdict["label"],
        "risk": verdict.get("risk"),
        "bar": verdict.get("bar"),
        "escalate": verdict["escalate"],
        "clauses": [category["clause"] for category in verdict["categories"]],
        "why": verdict["rule"]["why"],
        "quotes": [piece["quote"] for piece in verdict["evidence"] if piece["verified"]],
    }


def to_messages(said):
    """Messages of Inspect, or anything with a role and a text, without those that say nothing."""
    messages = [{"role": one.role, "content": one.text} for one in said]
    return [message for message in messages if message["content"].strip()]
