// talkback as a recorder: it forwards every request and writes its tape, even over an older one.
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder, port, target, path] = process.argv
const talkback = createRequire(join(folder, 'package.json'))('talkback')
const record = talkback.Options?.RecordMode?.OVERWRITE ?? 'OVERWRITE'
talkback({ host: target, port: Number(port), path, record, silent: true, summary: false }).start()
