import ipaddr from 'ipaddr.js';

/** Reached from within a cloud only, though their numbers look public: Azure's WireServer. */
const withinClouds = new Set(['168.63.129.16']);

/** Whether an IP address belongs to the public internet; anything that is not surely so does not. */
export function isPublicAddress(address: string): boolean {
  if (address.includes('%')) return false;
  // Only four decimal parts: what else the parser would take (0x7f.1, 0177.1) has been spelled out by the URL.
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isPublic4(ipaddr.IPv4.parse(address));
  return ipaddr.IPv6.isValid(address) && isPublic6(ipaddr.IPv6.parse(address));
}

function isPublic4(address: ipaddr.IPv4): boolean {
  return address.range() === 'unicast' && !withinClouds.has(address.toString());
}

/** An address that carries one of IPv4 is as public as that one; tunnels (6to4, Teredo …) lead where nobody knows. */
function isPublic6(address: ipaddr.IPv6): boolean {
  const range = address.range();
  if (range === 'ipv4Mapped' || (range === 'rfc6052' && address.match(nat64)))
    return isPublic4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return range === 'unicast' && address.match(globalUnicast);
}

const nat64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** All that was ever given out (RFC 4291): what lies outside is not routed, or carries something else. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
