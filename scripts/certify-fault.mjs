// Certifies the reference with one of its faults, and shows the finding that a user would see. Needs a built package.
//   node scripts/certify-fault.mjs <fault> [options of assay certify, such as --only <requirement>]
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist')
const [fault, ...options] = process.argv.slice(2)
const { allFaults, faultOverlay } = await import(join(dist, 'reference', 'faults', 'index.js'))
if (!allFaults().some(({ name }) => name === fault)) {
  console.error(`error: ${fault ?? 'nothing'} is no fault of reference/faults; build again if it is new`)
  process.exit(2)
}
const { startReference } = await import(join(dist, 'reference', 'server.js'))
const { url, credentials, resources, close } = await startReference({ overlays: [faultOverlay(fault)] })
const folder = mkdtempSync(join(tmpdir(), 'assay-fault-'))
const config = join(folder, 'assay.config.json')
writeFileSync(config, JSON.stringify({ baseUrl: url, binding: 'reference', credentials, resources }), { mode: 0o600 })
const words = ['certify', '--config', config, '--yes-modify-target', '--out', join(folder, 'report'), ...options]
const child = spawn(process.execPath, [join(dist, 'cli', 'main.js'), ...words], { stdio: 'inherit' })
child.once('close', async (code) => {
  await close()
  rmSync(folder, { recursive: true, force: true })
  process.exitCode = code ?? 1
})
