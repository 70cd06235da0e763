import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { create } from 'xmlbuilder2'
import { ledger } from '../schemas/ledger.ts'
import { loadRecordSchemas } from '../schemas/load.ts'
import type { TargetConfig } from '../schemas/types/config.ts'
import type { Report } from '../schemas/types/report.ts'
import { createValidator } from '../schemas/validator.ts'
import { packageInfo } from './package-info.ts'
import { assay, type Served, serve, temporaryFolder } from './testing/program.ts'

const records = createValidator(loadRecordSchemas())

/** Reads a report and holds it to its schema. */
function readReport(folder: string): Report {
  const report = JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  expect(records.violations('report', report)).toEqual([])
  return report
}

function writeConfig(folder: string, config: TargetConfig): string {
  const path = join(folder, 'assay.config.json')
  writeFileSync(path, JSON.stringify(config))
  return path
}

function configOf({ url, credentials, resources }: Served): TargetConfig {
  return { name: 'served', baseUrl: url, credentials, resources, binding: 'reference' }
}

describe('assay certify --embedded --profile quick', () => {
  test('is conformant, and writes a report and JUnit XML that agree', async () => {
    const cwd = temporaryFolder()
    const { code, stdout, stderr } = await assay(['certify', '--embedded', '--profile', 'quick', '--seed', '1'], {
      cwd,
    })
    expect({ code, stderr: code === 0 ? '' : stdout + stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^conformant: embedded reference: /m)

    const folder = join(cwd, 'assay-report')
    const report = readReport(folder)
    expect(report).toMatchObject({ verdict: 'conformant', seed: 1, profile: 'quick', leftovers: [], problems: [] })
    expect(report.requirements.map(({ id }) => id)).toEqual([...ledger().keys()])
    const verdicts = report.requirements.map(({ verdict }) => verdict)
    expect(verdicts.filter((verdict) => verdict === 'pass').length).toBeGreaterThan(150)
    expect(verdicts.filter((verdict) => !['pass', 'observed', 'not-run'].includes(verdict))).toEqual([])
    expect(report.requests).toBeGreaterThan(1000)
    expect(stdout).toContain(`${report.requests.toLocaleString('en-US')} requests in `)

    const root = create(readFileSync(join(folder, 'junit.xml'), 'utf8')).root()
    const attributes = root.toObject() as { testsuites: Readonly<Record<string, unknown>> }
    expect(attributes.testsuites).toMatchObject({
      '@tests': String(report.requirements.length),
      '@failures': '0',
      '@errors': '0',
      '@skipped': String(verdicts.filter((verdict) => verdict !== 'pass').length),
    })
    expect(root.filter((node) => node.node.nodeName === 'testcase', false, true)).toHaveLength(
      report.requirements.length,
    )
  })

  test('with --only runs the fitting cases alone, and says that this is a part', async () => {
    const cwd = temporaryFolder()
    const args = ['certify', '--embedded', '--profile', 'quick', '--only', 'NODE-TITLE-MAX', '--json', '--out', 'here']
    const { code, stdout } = await assay(args, { cwd })
    expect(code).toBe(4)
    const report = readReport(join(cwd, 'here'))
    expect(JSON.parse(stdout)).toEqual(report)
    expect(report).toMatchObject({ verdict: 'partial', only: ['NODE-TITLE-MAX'] })
    const [result] = report.requirements.filter(({ id }) => id === 'NODE-TITLE-MAX')
    expect(result).toMatchObject({ verdict: 'pass', evidence: { broken: 0 } })
    expect(result?.evidence.accepted).toBeGreaterThan(0)
    expect(result?.evidence.refused).toBeGreaterThan(0)
  })
})

describe('assay certify with a configuration', () => {
  test('a target that somebody else started is not touched without consent', async () => {
    const cwd = temporaryFolder()
    const target = await serve({ cwd })
    const config = writeConfig(cwd, configOf(target))
    const { code, stdout, stderr } = await assay(['certify', '--config', config, '--profile', 'quick'], { cwd })
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^error: .*the run would .*create .*; agree with --yes-modify-target, or with consent/)
  })

  test('with consent it is certified, and no secret is written', async () => {
    const cwd = temporaryFolder()
    const target = await serve({ cwd })
    writeConfig(cwd, {
      ...configOf(target),
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a configuration says so
      credentials: { ...target.credentials, accessToken: '${env:ASSAY_ACCESS_TOKEN}' },
      features: ['pipelines'],
    })
    const secret = target.credentials.accessToken ?? ''
    const { code, stdout } = await assay(
      ['certify', '--profile', 'quick', '--only', 'update-transform', '--yes-modify-target'],
      {
        cwd,
        env: { ASSAY_ACCESS_TOKEN: secret },
      },
    )
    expect({ code, stdout: code === 4 ? '' : stdout }).toEqual({ code: 4, stdout: '' })
    const report = readReport(join(cwd, 'assay-report'))
    expect(report).toMatchObject({
      target: { name: 'served', embedded: false },
      features: ['pipelines'],
      leftovers: [],
    })
    expect(secret).not.toBe('')
    for (const file of ['report.json', 'junit.xml', 'evidence/exchanges-1.ndjson']) {
      const text = readFileSync(join(cwd, 'assay-report', file), 'utf8')
      expect(text.length).toBeGreaterThan(1000)
      expect(text).not.toContain(secret)
    }
  })

  test('a target that does not listen gets no verdict', async () => {
    const cwd = temporaryFolder()
    const url = 'http://127.0.0.1:9'
    const { code, stderr } = await assay(['certify', url, '--yes-modify-target', '--profile', 'quick'], { cwd })
    expect(code).toBe(3)
    expect(stderr).toContain(`error: ${url}: `)
    expect(stderr).not.toContain('    at ')
  })
})

describe('assay serve', () => {
  test('answers under the credentials that it prints, and ends with 0 when it is told to', async () => {
    const { url, credentials, started } = await serve({ cwd: temporaryFolder() })
    const answer = await fetch(new URL('/v3/pipeline', url), {
      headers: { authorization: `Token ${credentials.accessToken}` },
    })
    expect(answer.status).toBe(200)
    expect((await fetch(new URL('/v3/pipeline', url))).ok).toBe(false)
    started.child.kill('SIGTERM')
    expect((await started.ended).code).toBe(0)
  })
})

describe('the command line', () => {
  test('--help names every verb', async () => {
    const { code, stdout, stderr } = await assay(['--help'], { cwd: temporaryFolder() })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    for (const verb of ['certify', 'init', 'serve', 'list', 'explain', 'gaps', 'cleanup']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${verb} `, 'm'))
    }
  })

  test('--version is that of the package', async () => {
    const { code, stdout } = await assay(['--version'], { cwd: temporaryFolder() })
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${packageInfo().version}\n` })
  })

  test('an unknown verb is one line and exit code 2', async () => {
    const { code, stdout, stderr } = await assay(['certifi'], { cwd: temporaryFolder() })
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toBe(
      "error: unknown command 'certifi' (Did you mean certify?); `assay --help` shows what there is\n",
    )
  })
})
