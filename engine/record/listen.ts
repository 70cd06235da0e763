import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BACKLOG } from '../../proxy/forward/listener.ts'
import { UsageError } from '../errors.ts'
import { listenProblem } from '../listening.ts'
import type { Address } from './plan.ts'

/** Lets a server listen; `option`: what the user chose the address with. @throws UsageError where that cannot be */
export function listen(server: Server, address: Address, option: string): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const where = `${option} ${address.host}:${address.port}`
      reject(new UsageError(listenProblem(error, where, { port: 'port', host: 'address' })))
    })
    server.listen({ port: address.port, host: address.host, backlog: BACKLOG }, () => {
      const { address: host, port } = server.address() as AddressInfo
      resolve({ host, port })
    })
  })
}
