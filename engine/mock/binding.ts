import type { Io } from '../../cli/io.ts'
import type { Recording } from '../../fixtures/recording/read.ts'
import type { BindingData } from '../../schemas/binding.ts'
import { loadBinding } from '../config/binding.ts'
import { chosenBinding } from '../config/chosen-binding.ts'
import { UsageError } from '../errors.ts'
import { recordedBinding } from '../recordings/recorded-binding.ts'
import type { MockOptions } from './options.ts'

/** What was given, else what the recording was made with. Without a binding of one's own most of it can be served still. */
export async function bindingToServe(
  recording: Recording,
  options: Pick<MockOptions, 'binding' | 'config' | 'fallback'>,
  io: Io,
): Promise<{ readonly data: BindingData; readonly notes: readonly string[] }> {
  const { binding, config, fallback } = options
  const given = binding ?? config ?? fallback
  const chosen = given === undefined ? undefined : await chosenBinding(options, io)
  if (chosen) return { data: loadBinding(chosen.name, chosen.dir), notes: [] }
  try {
    return { data: recordedBinding(recording) ?? loadBinding('default', io.cwd), notes: [] }
  } catch (thrown) {
    if (!(thrown instanceof UsageError)) throw thrown
    return { data: loadBinding('default', io.cwd), notes: [`note: ${thrown.message}; until then "default" is used`] }
  }
}
