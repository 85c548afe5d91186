/*
 * Groups of consumers as a broker coordinates them (JoinGroup 5, SyncGroup 3, Heartbeat, LeaveGroup 1, OffsetCommit 7:
 * https://kafka.apache.org/protocol). The mock of librdkafka 2.0 has a coordinator, too, which does nothing more for a
 * group that somebody has left.
 */

const apis = { offsetCommit: 8, joinGroup: 11, heartbeat: 12, leaveGroup: 13, syncGroup: 14 };
const errors = { none: 0, illegalGeneration: 22, unknownMember: 25, rebalancing: 27 };

type Reply = (body: Buffer) => void;

interface Member {
  id: string;
  metadata: Buffer;
  sessionMs: number;
  heardAt: number;
  joining: Reply | null;
  syncing: Reply | null;
}

interface Group {
  generation: number;
  protocol: string;
  members: Map<string, Member>;
  /** By member, once the leader has dealt them out; null while members come together. */
  shares: Map<string, Buffer> | null;
  isJoining: boolean;
}

export interface KafkaGroups {
  /** Answers a request about a group by itself; false where it is for the broker to answer. */
  answer(frame: Buffer, reply: (frame: Buffer) => void): boolean;
  stop(): void;
}

export function openKafkaGroups(): KafkaGroups {
  const groups = new Map<string, Group>();
  let made = 0;

  function groupOf(name: string): Group {
    const group = groups.get(name) ?? {
      generation: 0,
      protocol: '',
      members: new Map(),
      shares: null,
      isJoining: true,
    };
    groups.set(name, group);
    return group;
  }

  function gather(group: Group): void {
    group.isJoining = true;
    group.shares = null;
    for (const member of group.members.values()) {
      member.syncing?.(Buffer.concat([int32(0), int16(errors.rebalancing), bytes(Buffer.alloc(0))]));
      member.syncing = null;
    }
    elect(group);
  }

  /** Once all have come together, the first leads. */
  function elect(group: Group): void {
    const members = [...group.members.values()];
    if (members.length === 0 || members.some(({ joining }) => joining === null)) return;
    group.generation += 1;
    group.isJoining = false;
    const [leader] = members;
    const list = members.map(({ id, metadata }) => Buffer.concat([string(id), int16(-1), bytes(metadata)]));
    for (const member of members) {
      const known = member === leader ? list : [];
      const head = [int32(0), int16(errors.none), int32(group.generation), string(group.protocol), string(leader!.id)];
      member.joining!(Buffer.concat([...head, string(member.id), int32(known.length), ...known]));
      member.joining = null;
    }
  }

  function check(group: Group, id: string, generation: number): number {
    const member = group.members.get(id);
    if (!member) return errors.unknownMember;
    member.heardAt = Date.now();
    return generation === group.generation ? errors.none : errors.illegalGeneration;
  }

  const answers: Record<number, (read: ReturnType<typeof reader>, reply: Reply) => boolean> = {
    [apis.joinGroup](read, reply) {
      const group = groupOf(read.string());
      const sessionMs = read.int32();
      read.int32();
      const id = read.string() || `member-${(made += 1)}`;
      read.string();
      read.string();
      read.int32();
      group.protocol = read.string();
      const metadata = read.bytes();
      group.members.set(id, { id, metadata, sessionMs, heardAt: Date.now(), joining: reply, syncing: null });
      gather(group);
      return true;
    },
    [apis.syncGroup](read, reply) {
      const group = groupOf(read.string());
      const generation = read.int32();
      const id = read.string();
      read.string();
      const error = group.isJoining ? errors.rebalancing : check(group, id, generation);
      if (error !== errors.none) {
        reply(Buffer.concat([int32(0), int16(error), bytes(Buffer.alloc(0))]));
        return true;
      }
      group.members.get(id)!.syncing = reply;
      const dealt = Array.from({ length: read.int32() }, () => [read.string(), read.bytes()] as const);
      if (dealt.length > 0) group.shares = new Map(dealt);
      if (group.shares)
        for (const member of group.members.values()) {
          const share = group.shares.get(member.id) ?? Buffer.alloc(0);
          member.syncing?.(Buffer.concat([int32(0), int16(errors.none), bytes(share)]));
          member.syncing = null;
        }
      return true;
    },
    [apis.heartbeat](read, reply) {
      const group = groupOf(read.string());
      const error = check(group, ...([read.int32(), read.string()].toReversed() as [string, number]));
      reply(Buffer.concat([int32(0), int16(error === errors.none && group.isJoining ? errors.rebalancing : error)]));
      return true;
    },
    [apis.leaveGroup](read, reply) {
      const group = groupOf(read.string());
      const left = group.members.delete(read.string());
      reply(Buffer.concat([int32(0), int16(left ? errors.none : errors.unknownMember)]));
      if (left) gather(group);
      return true;
    },
    /** Of who is no member any more, or of an earlier generation, it is refused; else the broker keeps it. */
    [apis.offsetCommit](read, reply) {
      const name = read.string();
      const [generation, id] = [read.int32(), read.string()];
      if (!groups.has(name)) return false;
      const error = check(groupOf(name), id, generation);
      if (error === errors.none) return false;
      read.string();
      const topics = Array.from({ length: read.int32() }, () => {
        const topic = read.string();
        const partitions = Array.from({ length: read.int32() }, () => {
          const index = read.int32();
          read.skip(12);
          read.string();
          return Buffer.concat([int32(index), int16(error)]);
        });
        return Buffer.concat([string(topic), int32(partitions.length), ...partitions]);
      });
      reply(Buffer.concat([int32(0), int32(topics.length), ...topics]));
      return true;
    },
  };

  const watching = setInterval(() => {
    for (const group of groups.values()) {
      const dead = [...group.members.values()].filter(
        ({ joining, heardAt, sessionMs }) => joining === null && heardAt + sessionMs < Date.now(),
      );
      for (const { id } of dead) group.members.delete(id);
      if (dead.length > 0) gather(group);
    }
  }, 250).unref();

  return {
    answer(frame, reply) {
      const read = reader(frame, 12);
      read.string();
      const head = frame.subarray(8, 12);
      const whole: Reply = (body) => reply(Buffer.concat([int32(4 + body.length), head, body]));
      return answers[frame.readInt16BE(4)]?.(read, whole) ?? false;
    },
    stop: () => clearInterval(watching),
  };
}

function reader(frame: Buffer, start: number) {
  let at = start;
  const take = (length: number) => frame.subarray(at, (at += Math.max(0, length)));
  const take16 = () => take(2).readInt16BE();
  const take32 = () => take(4).readInt32BE();
  return {
    int32: take32,
    /** Empty where there is none. */
    string: () => take(take16()).toString(),
    bytes: () => Buffer.from(take(take32())),
    skip: (length: number) => void take(length),
  };
}

function int16(value: number): Buffer {
  const made = Buffer.alloc(2);
  made.writeInt16BE(value);
  return made;
}

function int32(value: number): Buffer {
  const made = Buffer.alloc(4);
  made.writeInt32BE(value);
  return made;
}

function string(text: string): Buffer {
  return Buffer.concat([int16(Buffer.byteLength(text)), Buffer.from(text)]);
}

function bytes(content: Buffer): Buffer {
  return Buffer.concat([int32(content.length), content]);
}
