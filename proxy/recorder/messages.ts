import type { LiveRowsText } from '../../fixtures/live/messages.ts'
import type { BindingData } from '../../schemas/binding.ts'
import type { Keep } from '../../schemas/types/config.ts'
import type { CredentialScheme } from '../../schemas/types/exchange.ts'
import type { RecordingAbout } from '../../schemas/types/recording.ts'
import type { TrafficFinding } from './findings.ts'
import type { RecorderCounts, RecorderSummary } from './recorder.ts'

/** What the recorder's thread is started with: plain data. */
export interface RecorderThreadOptions {
  readonly session: string
  /** undefined: nothing is written */
  readonly folder: string | undefined
  /** of the target */
  readonly baseUrl: string
  readonly binding: BindingData
  /** configured secret and its scheme */
  readonly credentials: readonly (readonly [string, CredentialScheme])[]
  readonly ownerEmail: string | undefined
  /** of the pseudonyms */
  readonly key: Uint8Array
  readonly keep: Keep
  readonly judge: boolean
  readonly strict: boolean
  readonly settleMs: number
  readonly compress: boolean
  /** bodies that are cut are kept whole in files of their own */
  readonly fullBodies: boolean
  /** for the header of each segment */
  readonly about: RecordingAbout
  /** exchanges and findings are reported as they come, for the live page */
  readonly live: boolean
}

/** What the thread gets of it. */
export interface RecorderThreadData extends RecorderThreadOptions {
  /** shared: 1 where the thread is to end now, and takes nothing more of what waits */
  readonly ends: Int32Array
}

/** What the recorder's thread says. */
export type FromRecorder =
  | { readonly type: 'ready' }
  | {
      readonly type: 'done'
      readonly kind: 'exchanges' | 'parts'
      readonly weight: number
      readonly counts: RecorderCounts
    }
  | { readonly type: 'problem'; readonly message: string }
  | { readonly type: 'counts'; readonly counts: RecorderCounts }
  | { readonly type: 'found'; readonly finding: TrafficFinding }
  | { readonly type: 'live'; readonly rows: LiveRowsText }
  /** `text`: JSON of a `Standing` */
  | { readonly type: 'standing'; readonly text: string }
  | { readonly type: 'answered'; readonly request: number; readonly text: string | undefined }
  | { readonly type: 'ended'; readonly summary: RecorderSummary }
