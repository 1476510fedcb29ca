import { pipeline, Readable, Transform } from 'node:stream'
import type { S3Client } from '@aws-sdk/client-s3'
import { BackupRefused } from '../backup-refused.ts'

/** A page of a thousand names takes less than 1 MiB. */
const mostSpokenBytes = 4 * 1024 * 1024

/**
 * The library reads every response that is not a file, such as a page of names or a refusal, into memory, however long
 * it is.
 */
export function limitResponseBytes({ config: { requestHandler } }: S3Client): void {
  const handle = requestHandler.handle.bind(requestHandler)
  requestHandler.handle = async (request, options) => {
    const answer = await handle(request, options)
    const { response } = answer
    const isFile = request.method === 'GET' && request.query['list-type'] === undefined && response.statusCode < 300
    if (!isFile && response.body instanceof Readable) response.body = limited(response.body)
    return answer
  }
}

function limited(body: Readable): Readable {
  let left = mostSpokenBytes
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left < 0) done(new BackupRefused(`the place for backups answers with more than ${mostSpokenBytes} bytes`))
      else done(null, chunk)
    },
  })
  pipeline(body, limit, () => {})
  return limit
}
