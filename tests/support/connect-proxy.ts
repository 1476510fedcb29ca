import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ConnectProxy {
  /** With credentials, which it never asks for. */
  readonly url: string
  /** What it was asked for: the address, and the credentials. */
  readonly asked: readonly string[]
}

/** An HTTP proxy that takes every host for this machine. It goes with the test. */
export async function startConnectProxy(status = '200 OK'): Promise<ConnectProxy> {
  const asked: string[] = []
  const proxy = createServer().on('connect', ({ url = '', headers }, socket) => {
    asked.push(`${url} ${headers['proxy-authorization']}`)
    socket.write(`HTTP/1.1 ${status}\r\n\r\n`)
    if (!status.startsWith('200')) return void socket.end()
    const target = connect(Number(url.split(':').at(-1)), '127.0.0.1')
    socket.pipe(target).pipe(socket)
    for (const each of [socket, target]) each.on('error', () => each.destroy())
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void proxy.close())
  return { url: `http://user:pass@127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked }
}
