// Targets for scripts: programs that are started and ended, and a front that answers some requests in a target's place.
import { spawn } from 'node:child_process'
import { request } from 'node:http'

const running = new Set()

/** Ends what was started and still runs. */
export function endAll() {
  for (const child of running) child.kill()
}

/** Starts a program of ours and waits until it says that it is ready, in words that `said` holds as matched. */
export async function start(words, ready, env = {}) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } })
  running.add(child)
  const ended = new Promise((done) => child.once('close', done)).then(() => running.delete(child))
  const said = await new Promise((done, failed) => {
    let text = ''
    const listen = (chunk) => {
      text += chunk
      const match = ready.exec(text)
      if (match) done(match)
    }
    child.stdout.setEncoding('utf8').on('data', listen)
    child.stderr.setEncoding('utf8').on('data', listen)
    ended.then(() => failed(new Error(`it ended before it was ready: ${text}`)))
  })
  const stop = (signal) => {
    child.kill(signal)
    return ended
  }
  return { said, stop }
}

/** Stands before a target and answers some requests in its place; `done`: the target carries them out all the same. */
export function front(url, answerOf) {
  const { hostname, port } = new URL(url)
  return (incoming, outgoing) => {
    const own = answerOf(incoming)
    const answer = () => {
      const type = own.type === undefined ? {} : { 'content-type': own.type }
      outgoing.writeHead(own.status, { ...type, 'retry-after': '0' }).end(own.text)
    }
    if (own && !own.done) {
      incoming.resume().once('end', answer)
      return
    }
    const { method, headers, url: path } = incoming
    const onward = request({ hostname, port, path, method, headers }, (response) => {
      if (own) {
        response.resume().once('end', answer)
        return
      }
      outgoing.writeHead(response.statusCode, response.rawHeaders)
      response.pipe(outgoing)
    })
    onward.on('error', () => outgoing.destroy())
    incoming.pipe(onward)
  }
}
