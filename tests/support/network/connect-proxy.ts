import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { onTestFinished } from 'vitest'

export interface ConnectProxy {
  /** Contains credentials, which it never requests. */
  readonly url: string
  /** The requests: the address, and the credentials. */
  readonly asked: readonly string[]
}

/** An HTTP proxy that resolves every host to this machine. It ends with the test. */
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
