// Opens streams over HTTP/2, reports it, and reads nothing from then on.
import { connect } from 'node:http2'

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
session.on('error', () => {})
let answered = 0
for (let index = 0; index < count; index += 1) {
  const stream = session.request({ ':path': '/held', authorization: 'Bearer admin-token' })
  stream
    .on('error', () => {})
    .on('response', () => {
      answered += 1
      if (answered < count) return
      process.stdout.write('ready', () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0))
    })
}
