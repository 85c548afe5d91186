import { type ReactNode, useMemo, useState } from 'react';
import { formatSpan } from '@agonhq/engine/view';
import { BlurredImage, RevealButton } from '../components/blurred-image.tsx';
import { useCovers, type Viewing } from '../components/care.ts';
import { Player } from '../components/player.tsx';
import { FileFacts } from '../report/file-facts.tsx';
import { useReport } from '../report/report-context.ts';
import { MomentButton } from './moment-button.tsx';
import type { RecordingPart, SubjectPart } from './subject-parts.ts';
import type { JudgedFile, TrialSource } from './trial-view.ts';

interface RecordingViewProps {
  part: RecordingPart;
  /** Where it is to be played from. */
  cue: { second: number; count: number } | null;
  fileUrl: (file: JudgedFile) => string | null;
  viewing: Viewing;
  /** A source, or a passage of it, lit up where it is quoted. */
  write: (source: TrialSource, range?: { start: number; end: number }) => ReactNode;
  observe: (observation: TrialSource) => ReactNode;
}

/** A recording: played from any moment, with what is said when, and the frames of a film. */
export function RecordingView({ part, cue, fileUrl, viewing, write, observe }: RecordingViewProps) {
  const { recording, observations, frames } = part;
  const { id, kind, seconds } = recording;
  const report = useReport();
  const covers = useCovers();
  const [own, setOwn] = useState<boolean | null>(null);
  const revealed = viewing.revealed ?? own ?? !covers;
  const reveal = viewing.onReveal ?? setOwn;
  const url = fileUrl(recording);
  const transcript = observations.find(({ tool, moments }) => tool === 'transcript' && moments.length > 0);
  const captions = useMemo(
    () =>
      transcript ? transcript.moments.map((one) => ({ ...one, text: transcript.text.slice(one.start, one.end) })) : [],
    [transcript],
  );
  const title = `${kind === 'audio' ? 'Sound' : 'Film'} ${id.split('-')[1]}`;
  return (
    <section aria-label={title} className="grid gap-3">
      <h3 className="text-sm font-medium text-quiet">
        {title}
        {seconds !== null && ` · ${formatSpan({ from: seconds, to: seconds })}`}
      </h3>
      <FileFacts file={recording} />
      {url === null ? (
        <p className="rounded-lg border border-dashed p-4 text-sm text-quiet">
          The recording is not available. What was heard and seen in it is listed below.
        </p>
      ) : report ? (
        <p className="text-sm text-quiet">A time opens the recording there, with sound and uncovered.</p>
      ) : (
        <Player
          kind={kind}
          src={url}
          title={title}
          cue={cue}
          captions={captions}
          revealed={revealed}
          onReveal={reveal}
          sounding={viewing.sounding}
          onSound={viewing.onSound}
        />
      )}
      {transcript && <Transcript of={id} transcript={transcript} write={write} />}
      {observations.filter((observation) => observation !== transcript).map(observe)}
      {frames.length > 0 && (
        <div className="grid gap-2">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h4 className="text-sm font-medium text-quiet">Frames that were looked at</h4>
            {url === null && !report && frames.some(({ image }) => fileUrl(image!) !== null) && (
              <RevealButton what="frames" revealed={revealed} onReveal={reveal} />
            )}
          </div>
          <ol className="grid gap-3">
            {frames.map((frame) => (
              <Frame key={frame.id} {...{ frame, fileUrl, revealed, write, observe }} />
            ))}
          </ol>
        </div>
      )}
    </section>
  );
}

interface TranscriptProps {
  of: string;
  transcript: TrialSource;
  write: RecordingViewProps['write'];
}

/** What is said, passage by passage: each plays from its second. */
function Transcript({ of, transcript, write }: TranscriptProps) {
  return (
    <div className="grid gap-2 rounded-lg border bg-paper px-3 py-2 text-sm">
      <p className="text-quiet">
        <strong className="font-medium">What is said</strong>
        {transcript.note && ` · ${transcript.note}`}
      </p>
      <ol aria-label="What is said" className="grid gap-1.5">
        {transcript.moments.map((moment) => (
          <li key={moment.start} className="flex items-start gap-2">
            <MomentButton isPlace moment={{ of, from: moment.from, to: moment.to }} />
            <div className="min-w-0 flex-1">{write(transcript, moment)}</div>
          </li>
        ))}
      </ol>
    </div>
  );
}

interface FrameProps extends Pick<RecordingViewProps, 'fileUrl' | 'write' | 'observe'> {
  frame: SubjectPart;
  revealed: boolean;
}

/** A frame with what it shows; what else was observed in it is folded away. */
function Frame({ frame: { id, image, observations }, fileUrl, revealed, write, observe }: FrameProps) {
  const { of, second } = image!.frame!;
  const url = fileUrl(image!);
  const description = observations.find((one) => one.id === `${id}/description`);
  const rest = observations.filter((observation) => observation !== description);
  return (
    <li className="grid grid-cols-[7rem_minmax(0,1fr)] items-start gap-3 text-sm">
      {url === null ? (
        <span className="rounded-lg border border-dashed p-3 text-center text-quiet">not kept</span>
      ) : (
        <BlurredImage
          src={url}
          alt={`Frame at ${formatSpan({ from: second, to: second })}`}
          className="w-28"
          revealed={revealed}
          withoutButton
        />
      )}
      <div className="grid gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <MomentButton isPlace moment={{ of, from: second, to: second }} />
          <FileFacts file={image!} />
        </div>
        {description && write(description)}
        {rest.length > 0 && (
          <details>
            <summary className="cursor-pointer text-link">What else was observed</summary>
            <div className="mt-2 grid gap-2">{rest.map(observe)}</div>
          </details>
        )}
      </div>
    </li>
  );
}
