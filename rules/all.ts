import type { ExchangeRule, HistoryRule, Rule } from './core/rule.ts'
import { existenceRules } from './existence-rules.ts'
import { controlsWith } from './known/controls.ts'
import { type GroupRule, groupsWith } from './known/groups.ts'
import { type LinesKnown, linesPart } from './known/lines-store.ts'
import { historyOf } from './known/part.ts'
import { type Sights, sightsPart } from './known/sights.ts'
import { signingKeys } from './known/signing-keys.ts'
import { type Suspension, suspensionPart } from './known/suspension.ts'
import { recordRules } from './record-rules.ts'
import { authenticatesRule, keysRule } from './topics/configuration/keys.ts'
import { deletedRule } from './topics/configuration/removed-is-gone.ts'
import { exportRule, likeV1Rule, mailsRule } from './topics/exports/exports.ts'
import { lastPageRule, nextPageRule, sameTokenRule, wholeExportRule } from './topics/exports/pages.ts'
import { capRule, periodRule, preferRule, toNowRule } from './topics/exports/period.ts'
import { judgeInput } from './topics/general/control.ts'
import { familiesRule } from './topics/general/families.ts'
import { observedRule } from './topics/general/observed.ts'
import { codesRule, errorShapeRule } from './topics/general/provoked.ts'
import { serialRule } from './topics/general/serial.ts'
import { staysRule } from './topics/general/stays.ts'
import { codingRule, successRule, versionsRule } from './topics/general/success.ts'
import { formsRule, worksRule } from './topics/general/works.ts'
import { exclusionDropsRule } from './topics/ingestion/exclusion-drops.ts'
import { linesComeOutRule, linesOnceRule, linesUnchangedRule, saidTwiceRule } from './topics/ingestion/lines.ts'
import { confirmsRule, sendersToldRule, statusFollowsRule, suspensionStopsRule } from './topics/ingestion/suspension.ts'
import { copiedContentRule } from './topics/pipelines/copies.ts'
import { leftoversRule } from './topics/pipelines/leftovers.ts'
import { signingKeysAdded } from './topics/pipelines/signing-keys-added.ts'
import { tapRule, tapSelectionRule } from './topics/pipelines/taps.ts'
import { bytesRule, droppedUsageRule, sentIsReportedRule } from './topics/usage/sent-is-reported.ts'
import { linesShareRule, pastShareRule, sharesRule } from './topics/usage/shares-of-all-lines.ts'
import { sameDayRule, usageValuesRule } from './topics/usage/usage-values.ts'
import { naturalRule } from './traffic/natural.ts'
import { unguardedRule } from './traffic/unguarded.ts'

/** Rules that look at one exchange. */
export const exchangeRules: readonly ExchangeRule[] = [
  successRule,
  deletedRule,
  keysRule,
  tapRule,
  exportRule,
  usageValuesRule,
  errorShapeRule,
  observedRule,
  versionsRule,
  codingRule,
]

/** Rules that look at the requests of one group. */
const groupRules: readonly GroupRule[] = [
  mailsRule,
  formsRule,
  authenticatesRule,
  confirmsRule,
  tapSelectionRule,
  linesShareRule,
  bytesRule,
  droppedUsageRule,
  periodRule,
  toNowRule,
  saidTwiceRule,
  leftoversRule,
  serialRule,
]

/** Those that ask a question again at its end: of a change that comes late, the two answers tell. */
const askingTwice: readonly GroupRule[] = [likeV1Rule, sharesRule, pastShareRule, sameDayRule]

/** Rules that ask what is known of lines, and of suspension. */
const lineRules: readonly Rule<LinesKnown>[] = [
  linesComeOutRule,
  linesOnceRule,
  linesUnchangedRule,
  capRule,
  preferRule,
  nextPageRule,
  sameTokenRule,
  lastPageRule,
  wholeExportRule,
  exclusionDropsRule,
  sentIsReportedRule,
]
const suspensionRules: readonly Rule<Suspension>[] = [statusFollowsRule, sendersToldRule, suspensionStopsRule]

/** Rules that look at a history. */
export const historyRules: readonly HistoryRule<unknown>[] = [
  controlsWith(judgeInput),
  familiesRule,
  codesRule as HistoryRule<unknown>,
  worksRule as HistoryRule<unknown>,
  naturalRule,
  copiedContentRule,
  ...existenceRules,
  ...recordRules,
  historyOf(signingKeys, [signingKeysAdded]) as HistoryRule<unknown>,
  unguardedRule,
  historyOf(sightsPart, [staysRule] as readonly Rule<Sights>[]) as HistoryRule<unknown>,
  historyOf(linesPart, lineRules) as HistoryRule<unknown>,
  historyOf(suspensionPart, suspensionRules) as HistoryRule<unknown>,
  groupsWith(groupRules) as HistoryRule<unknown>,
  { ...groupsWith(askingTwice), name: 'groups asked twice', timeless: true } as HistoryRule<unknown>,
]
