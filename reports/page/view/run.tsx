import type { ComponentChildren, VNode } from 'preact'
import type { Report } from '../../../schemas/types/report.ts'
import { counted, number } from '../../counted.ts'
import { unansweredInWords } from '../../to-do.ts'
import { duration, moment } from '../model/words.ts'
import { Command, Facts, IdTags, Part, Texts } from './parts.tsx'
import { Text } from './text.tsx'

/** Everything that is needed to run the same again, and what the run left behind. */
export function Run({ report, cuts }: { readonly report: Report; readonly cuts: readonly string[] }): VNode {
  const { binding, basis: { runs = [] } = {} } = report
  return (
    <Part id="run" title="The run" screenOnly lead="Everything that is needed to repeat it.">
      {report.command !== undefined && <Command label="The whole run again" value={report.command} />}
      <div class="columns">
        <div>
          <h3>Versions and environment</h3>
          <Facts
            pairs={[
              ['Target', <Text key="t" value={report.target.baseUrl} most={300} />],
              ['Specification', report.specification],
              ['Profile', `${report.profile}${report.strict ? ', strict' : ''}`],
              ['Only', report.only.length > 0 && <Text key="o" value={report.only.join(', ')} most={300} />],
              ['Features claimed', <Text key="f" value={report.features.join(', ')} most={600} />],
              ['Server errors', report.serverErrors && number(report.serverErrors.count)],
              ['Suite', `${report.suite.name} ${report.suite.version}`],
              ['Report format', String(report.schemaVersion)],
              ['Began', report.startedAt],
              ['Took', duration(report.durationMs)],
              ['Requests', number(report.requests)],
              ['Seed', String(report.seed)],
              ...texts(report.environment),
            ]}
          />
        </div>
        <div>
          <h3>Configuration</h3>
          {report.configuration ? (
            <Facts pairs={texts(report.configuration)} />
          ) : (
            <p class="empty">The report does not tell it.</p>
          )}
          <p class="soft">Credentials are never written down.</p>
        </div>
      </div>
      <h3>Left behind on the target</h3>
      {report.leftovers.length > 0 ? <Texts items={report.leftovers} most={600} /> : <p class="empty">Nothing.</p>}
      {report.problems.length > 0 && (
        <>
          <h3>What went wrong with the run itself</h3>
          <Texts items={report.problems} most={600} />
        </>
      )}
      {runs.length > 1 && (
        <>
          <h3>Runs that were merged</h3>
          <ul class="plain">
            {runs.map((run, index) => (
              <li key={index}>
                <Text value={run.verb} most={40} /> {run.shard && `shard ${run.shard.index} of ${run.shard.of}, `}
                {moment(run.startedAt)}, {counted(run.requests, 'request')}, seed {run.seed}
                {run.interrupted && ', interrupted'}
              </li>
            ))}
          </ul>
        </>
      )}
      <details class="rest">
        <summary>
          Binding{' '}
          <Text value={binding.name || 'none: what the specification leaves open was not tried'} most={200} cut />:{' '}
          {counted(binding.answered.length, 'gap')} answered, {unansweredInWords(report)}
        </summary>
        <Facts
          pairs={[
            ['Chain', <Text key="c" value={binding.chain.join(' on ') || 'none'} most={400} />],
            ['Answered', <IdTags key="a" ids={binding.answered} />],
            ['Not answered', <IdTags key="n" ids={binding.unanswered} />],
          ]}
        />
      </details>
      {cuts.length > 0 && <p class="soft">Left out of this page, and still in report.json: {cuts.join('; ')}.</p>}
    </Part>
  )
}

function texts(values: Readonly<Record<string, string>>): [string, ComponentChildren][] {
  return Object.entries(values).map(([name, value]) => [name, <Text key={name} value={value} most={400} />])
}
