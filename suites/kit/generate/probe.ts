/** One value to send in an otherwise good body, and what is expected of the answer. */
export interface Probe {
  /** accept: a good value that must be taken; refuse: breaks its requirement; observe: the text leaves it open */
  readonly kind: 'accept' | 'refuse' | 'observe'
  readonly pointer: string
  readonly keyword: string | undefined
  readonly requirement: string | undefined
  /** requirements that a refused value breaks as well, because they shadow its own */
  readonly also: readonly (string | undefined)[]
  readonly label: string
  /** label of a probe of the same field that has to be accepted for this one to be sent */
  readonly after?: string
  /** for `lift`: may be a `FromBase` or a `RawJson`; undefined: the field is left out */
  readonly value: unknown
  /** the same probe with simpler values, the simplest first; each has simpler ones again. None for values written by hand. */
  smaller(): Iterable<Probe>
}
