import { Pause, Play, Volume2, VolumeX } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { formatSpan } from '@agonhq/engine/view';
import { RevealButton } from './blurred-image.tsx';
import { Button } from './button.tsx';
import { useCovers, type Viewing } from './care.ts';
import { classes } from './tones.ts';

interface PlayerProps extends Viewing {
  kind: 'audio' | 'video';
  src: string;
  title: string;
  /** Where to play from; a higher count asks anew. */
  cue: { second: number; count: number } | null;
  /** What is said when, shown over a film. */
  captions: readonly { from: number; to: number; text: string }[];
}

/**
 * A recording that may hurt to see or hear: a film is blurred and grey, and sound is off, until asked for. Its own
 * controls, since a browser's would be blurred with the film.
 */
export function Player({ kind, src, title, cue, captions, ...viewing }: PlayerProps) {
  const media = useRef<HTMLVideoElement & HTMLAudioElement>(null);
  const covers = useCovers();
  const [own, setOwn] = useState<{ revealed?: boolean; sounding?: boolean }>({});
  const revealed = viewing.revealed ?? own.revealed ?? !covers;
  const sounding = viewing.sounding ?? own.sounding ?? !covers;
  const [{ second, seconds, playing, failed }, setState] = useState(stopped);
  const track = useCaptions(captions);
  usePlayFrom(media, cue);
  const read = () => {
    const { currentTime, duration, paused } = media.current!;
    setState((before) => ({ ...before, second: currentTime, seconds: duration || 0, playing: !paused }));
  };
  const shared = {
    ref: media,
    src,
    muted: !sounding,
    preload: 'metadata',
    'aria-label': `${title}${kind === 'video' && !revealed ? ', blurred' : ''}`,
    onLoadedMetadata: read,
    onTimeUpdate: read,
    onPlay: read,
    onPause: read,
    onEnded: read,
    onError: () => setState((before) => ({ ...before, failed: true })),
  } as const;
  const seek = (to: number) => {
    media.current!.currentTime = to;
  };
  return (
    <figure className="grid gap-2" data-player>
      {kind === 'audio' ? (
        <audio {...shared} />
      ) : (
        <div className="w-fit overflow-hidden rounded-lg border bg-paper">
          <video
            {...shared}
            playsInline
            className={classes('block max-h-80 max-w-full', !revealed && 'blur-2xl grayscale')}
          >
            {track && <track kind="captions" label="Transcript" src={track} default={revealed} />}
          </video>
        </div>
      )}
      {failed ? (
        <p className="text-sm text-caution">This browser cannot play the recording.</p>
      ) : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            size="small"
            icon={playing ? Pause : Play}
            aria-label={playing ? 'Pause' : 'Play'}
            onClick={() => void (playing ? media.current!.pause() : play(media))}
          />
          <input
            type="range"
            aria-label={`Position in ${title}`}
            aria-valuetext={`${formatSpan({ from: second, to: second })} of ${formatSpan({ from: seconds, to: seconds })}`}
            min={0}
            max={seconds || 1}
            step={0.1}
            value={Math.min(second, seconds || 1)}
            onChange={(event) => seek(Number(event.target.value))}
            className="h-6 min-w-24 flex-1 accent-link"
          />
          <span aria-hidden className="text-sm text-quiet tabular-nums">
            {formatSpan({ from: second, to: second })} / {formatSpan({ from: seconds, to: seconds })}
          </span>
          <Button
            size="small"
            icon={sounding ? Volume2 : VolumeX}
            aria-pressed={sounding}
            onClick={() => {
              setOwn({ ...own, sounding: !sounding });
              viewing.onSound?.(!sounding);
            }}
          >
            {sounding ? 'Turn sound off' : 'Turn sound on'}
          </Button>
          {kind === 'video' && (
            <RevealButton
              what="film"
              revealed={revealed}
              onReveal={(next) => {
                setOwn({ ...own, revealed: next });
                viewing.onReveal?.(next);
              }}
            />
          )}
        </div>
      )}
    </figure>
  );
}

const stopped = { second: 0, seconds: 0, playing: false, failed: false };

type Media = RefObject<HTMLMediaElement | null>;

/** A browser may refuse to play before somebody touched the page: then it stands where it would have begun. */
function play(media: Media): Promise<void> | undefined {
  return media.current?.play().catch(() => undefined);
}

function usePlayFrom(media: Media, cue: PlayerProps['cue']): void {
  const { second = 0, count = 0 } = cue ?? {};
  useEffect(() => {
    const element = media.current;
    if (count === 0 || !element) return;
    const begin = () => {
      element.currentTime = second;
      void play(media);
    };
    if (element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
    else element.addEventListener('loadedmetadata', begin, { once: true });
    element.closest('[data-player]')?.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
  }, [media, second, count]);
}

/** Where captions can be had, as long as the page shows them. */
function useCaptions(captions: PlayerProps['captions']): string | null {
  const text = useMemo(() => writeCaptions(captions), [captions]);
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (text === null) return undefined;
    const made = URL.createObjectURL(new Blob([text], { type: 'text/vtt' }));
    setUrl(made);
    return () => {
      URL.revokeObjectURL(made);
      setUrl(null);
    };
  }, [text]);
  return url;
}

/** WebVTT; what is said is text in it, and no markup. */
export function writeCaptions(captions: PlayerProps['captions']): string | null {
  if (captions.length === 0) return null;
  const clock = (seconds: number) => new Date(seconds * 1000).toISOString().slice(11, 23);
  const plain = (text: string) =>
    text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(/\s+/g, ' ');
  return `WEBVTT\n\n${captions.map(({ from, to, text }) => `${clock(from)} --> ${clock(Math.max(to, from + 0.1))}\n${plain(text)}\n`).join('\n')}`;
}
