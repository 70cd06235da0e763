// talkback as a recorder: every request is forwarded and its tape written, also where one is there already.
// node talkback.mjs <folder of the installation> <port> <target> <folder of tapes>
import { createRequire } from 'node:module'
import { join } from 'node:path'

const [, , folder, port, target, path] = process.argv
const talkback = createRequire(join(folder, 'package.json'))('talkback')
const record = talkback.Options?.RecordMode?.OVERWRITE ?? 'OVERWRITE'
talkback({ host: target, port: Number(port), path, record, silent: true, summary: false }).start()
