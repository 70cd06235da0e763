/**
 * A value as a part of a URL. Half of a surrogate pair, which JSON can spell (`"\ud800"`) and UTF-8 can not, is sent as the
 * sign that stands for what is no character.
 */
export function percentEncoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}

/** A part of a URL with its percent-encoding undone; as it stands, where it is not encoded as it should be. */
export function percentDecoded(part: string): string {
  if (!part.includes('%')) return part
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
