import { createServer } from 'node:https'

const secret = `{"metadata":{"name":"a","namespace":"b","labels":{"x":"y"}},"data":{"k":"${'A'.repeat(400)}"}},`
const piece = Buffer.from(secret.repeat(100))

/** An API server that answers every list with hundreds of megabytes of Secrets. Resolves with its port. */
export function startHostileHost(key: string, cert: string): Promise<number> {
  const server = createServer({ key, cert }, (_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[')
    let left = 10_000
    const write = () => {
      while (left-- > 0 && !response.destroyed) if (!response.write(piece)) return
      response.end('{}]}')
    }
    response.on('drain', write).on('error', () => {})
    write()
  })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })
}
