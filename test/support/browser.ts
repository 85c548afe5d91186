/** As a browser does it: redirects by hand, with a cookie jar for each site. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>();

  async visit(url: string, form?: Record<string, string>): Promise<Response> {
    const jar = this.jarOf(url);
    const response = await fetch(url, {
      method: form ? 'POST' : 'GET',
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      if (value === '') jar.delete(name!);
      else jar.set(name!, value!);
    }
    return response;
  }

  jarOf(url: string): Map<string, string> {
    const { origin } = new URL(url);
    const jar = this.#jars.get(origin) ?? new Map<string, string>();
    this.#jars.set(origin, jar);
    return jar;
  }

  /** Follows redirects up to a page, and says where that is. */
  async follow(url: string, form?: Record<string, string>): Promise<string> {
    const location = (await this.visit(url, form)).headers.get('location');
    return location === null ? url : this.follow(new URL(location, url).href);
  }

  /** Signs in at a server through its OpenID provider, whose page is filled in. */
  async signIn(url: string, form: Record<string, string>): Promise<string> {
    return this.follow(await this.follow(`${url}/sign-in/openid`), form);
  }
}
