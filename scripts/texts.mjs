// Prints every text for people in the code or the ledger, by file, so that all can be read in one go:
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { collectedTexts } from './lib/texts.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
let last = ''
for (const { at, text } of collectedTexts(root)) {
  const [file, place = ''] = at.split(/[ :]/)
  if (file !== last) process.stdout.write(`\n## ${file}\n\n`)
  last = file
  process.stdout.write(`- ${place}: ${text}\n`)
}
