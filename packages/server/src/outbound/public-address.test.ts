import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

/** Blocks of IPv4 that are nobody's on the public internet. */
const kept4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;

const numberOf = (address: string) => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const addressOf = (number: number) => [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
const last32 = (address: string) =>
  `${Math.floor(numberOf(address) / 65_536).toString(16)}:${(numberOf(address) % 65_536).toString(16)}`;

const privateAddress = fc
  .constantFrom(...kept4)
  .chain(([start, bits]) =>
    fc.integer({ min: 0, max: 2 ** (32 - bits) - 1 }).map((offset) => addressOf(numberOf(start) + offset)),
  );
const anyPart = fc.integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
const under = (prefix: string, parts: number) =>
  fc.array(anyPart, { minLength: parts, maxLength: parts }).map((rest) => [prefix, ...rest].join(':'));

describe('an address is public', () => {
  test.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.215.14',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '223.255.255.255',
    '2606:4700:4700::1111',
    '2a00:1450:4001:80e::200e',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])('%s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
});

describe('an address is not public', () => {
  test.each([
    '127.0.0.1',
    '0.0.0.0',
    '10.1.2.3',
    '169.254.169.254',
    '100.100.100.200',
    '192.168.0.1',
    '255.255.255.255',
    '168.63.129.16',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:a9fe:a9fe',
    '::127.0.0.1',
    '::ffff:0:127.0.0.1',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'fec0::1',
    'ff02::1',
    '2001:db8::1',
    '3fff::1',
    '2002:7f00:1::',
    '2002:808:808::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '64:ff9b::7f00:1',
    '64:ff9b:1::808:808',
    '100::1',
    '5f00::1',
    '4000::1',
    '2606:4700:4700::1111%1',
    '',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '8.8.8',
    '8.8.8.8 ',
    '[::1]',
  ])('%j', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test('when it lies in a block of IPv4 that is nobody’s, whatever carries it', () => {
    fc.assert(
      fc.property(privateAddress, (address) => {
        const carried = [
          address,
          `::ffff:${address}`,
          `::ffff:${last32(address)}`,
          `64:ff9b::${last32(address)}`,
          `::ffff:0:${last32(address)}`,
          `::${last32(address)}`,
          `2002:${last32(address)}::1`,
        ];
        expect(carried.filter(isPublicAddress)).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  test('when it lies in a block of IPv6 for a link, a site, a group, a tunnel or a document', () => {
    const kept6 = fc.oneof(
      under('fe80', 7),
      under('fc00', 7),
      under('fdff', 7),
      under('fec0', 7),
      under('ff0e', 7),
      under('2002', 7),
      under('2001:0', 6),
      under('2001:db8', 6),
      under('64:ff9b:1', 5),
      under('100:0:0:0', 4),
    );
    fc.assert(
      fc.property(kept6, (address) => !isPublicAddress(address)),
      { numRuns: 2_000 },
    );
  });

  test('when it is no address at all', () => {
    fc.assert(fc.property(fc.string(), (words) => !isPublicAddress(`${words}!`)));
  });
});

test('a mapped address of IPv4 is exactly as public as the address itself', () => {
  fc.assert(
    fc.property(
      fc.ipV4(),
      (address) =>
        isPublicAddress(address) === isPublicAddress(`::ffff:${address}`) &&
        isPublicAddress(address) === isPublicAddress(`64:ff9b::${last32(address)}`),
    ),
    { numRuns: 2_000 },
  );
});
