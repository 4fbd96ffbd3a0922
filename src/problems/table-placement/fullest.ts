import { bytesAt } from "../../facts/facts.js";
import type { Said } from "../../text/said.js";

/** Bytes by device, and where the file has them. */
type DeviceBytes = readonly [path: string, bytes: readonly number[]];

/** The device whose memory is fullest by its own limit. */
export function fullest([path, used]: DeviceBytes, [limitPath, limits]: DeviceBytes) {
  const shares = used.map((amount, d) => (limits[d] ? amount / limits[d] : Number(amount > 0)));
  const device = shares.reduce((best, share, d) => (share > (shares[best] ?? 0) ? d : best), 0);
  const own = bytesAt(`${path}.${device}`, used[device] ?? 0);
  const limit = bytesAt(`${limitPath}.${device}`, limits[device] ?? 0);
  const text: Said = [own, " of ", limit];
  return { device, share: shares[device] ?? 0, text, own, limit };
}
