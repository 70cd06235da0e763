/**
 * A value as a part of a URL. Half of a surrogate pair, which JSON can spell (`"\ud800"`) and UTF-8 can not, is sent as the
 * sign that stands for what is no character.
 */
export function percentEncoded(value: string): string {
  return encodeURIComponent(value.replaceAll(/\p{Surrogate}/gu, '\ufffd'))
}
