import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  S3Client,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { UsageError } from '../../base/usage-error.ts'
import { BackupRefused } from '../backup-refused.ts'
import { alreadyThere, type BackupPlace, isPlainName, type PlacedFile, requireBackupName } from './contract.ts'
import { limitResponseBytes } from './response-limit.ts'
import { explainS3Errors, isMissing } from './s3-trouble.ts'

/** S3 accepts 10,000 parts: 80 GiB. */
const partBytes = 8 * 1024 * 1024
/** What S3 copies in one request. */
const mostCopiedBytes = 5 * 1024 * 1024 * 1024
const mostBytes = 10_000 * partBytes
const mostListed = 100_000
const mostPages = 2000

/** How long a place may be silent. A server may take minutes to copy a large file before it answers. */
export interface S3Limits {
  readonly connectMs: number
  readonly silenceMs: number
}

const usualS3Limits: S3Limits = { connectMs: 10_000, silenceMs: 300_000 }

/** `s3://BUCKET/PREFIX`. Credentials, region and endpoint come from the environment, as in all programs for S3. */
export function s3Place(
  address: string,
  env: Readonly<Record<string, string | undefined>>,
  { connectMs, silenceMs }: S3Limits = usualS3Limits,
): BackupPlace {
  const { bucket, prefix } = parsed(address)
  const endpoint = env.AWS_ENDPOINT_URL_S3 ?? env.AWS_ENDPOINT_URL
  // The warning concerns future versions of the library, which users do not choose, and adds eight lines to each command.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const client = new S3Client({
    region: env.AWS_REGION ?? env.AWS_DEFAULT_REGION ?? 'us-east-1',
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: silenceMs,
      socketTimeout: silenceMs,
      throwOnRequestTimeout: true,
    },
  })
  limitResponseBytes(client)
  explainS3Errors(client, address, endpoint)
  return new S3Place(client, bucket, prefix, address)
}

function parsed(address: string): { readonly bucket: string; readonly prefix: string } {
  const [, bucket, path = ''] =
    /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([A-Za-z0-9._/-]*))?$/.exec(address) ?? []
  if (bucket === undefined)
    throw new UsageError(`${JSON.stringify(address)} is not a place for backups: use s3://BUCKET/PREFIX`)
  const folders = path.split('/').filter((each) => each !== '')
  return { bucket, prefix: folders.map((folder) => `${folder}/`).join('') }
}

class S3Place implements BackupPlace {
  readonly address: string
  readonly #client: S3Client
  readonly #bucket: string
  readonly #prefix: string

  constructor(client: S3Client, bucket: string, prefix: string, address: string) {
    this.#client = client
    this.#bucket = bucket
    this.#prefix = prefix
    this.address = address
  }

  async list(): Promise<readonly PlacedFile[]> {
    const files: PlacedFile[] = []
    const asked = new Set<string | undefined>()
    let next: string | undefined
    do {
      if (asked.has(next) || asked.size >= mostPages)
        throw new BackupRefused(`${this.address} does not come to an end when it lists its files`)
      asked.add(next)
      const page = await this.#client.send(
        new ListObjectsV2Command({
          Bucket: this.#bucket,
          Prefix: this.#prefix,
          ...(next !== undefined && { ContinuationToken: next }),
        }),
      )
      for (const { Key: key = '', Size: bytes = 0 } of page.Contents ?? []) {
        const name = key.slice(this.#prefix.length)
        if (isPlainName(name)) files.push({ name, bytes })
      }
      if (files.length > mostListed) throw new BackupRefused(`${this.address} holds more than ${mostListed} files`)
      next = page.IsTruncated === true ? page.NextContinuationToken : undefined
    } while (next !== undefined)
    return files
  }

  async *read(name: string): AsyncGenerator<Buffer> {
    yield* await this.#body(name)
  }

  async readStart(name: string, bytes: number): Promise<Buffer> {
    const pieces: Buffer[] = []
    let held = 0
    // A server may ignore the range, and send everything.
    for await (const piece of await this.#body(name, `bytes=0-${bytes - 1}`)) {
      pieces.push(piece)
      held += piece.length
      if (held >= bytes) break
    }
    return Buffer.concat(pieces, held).subarray(0, bytes)
  }

  async write(name: string, bytes: AsyncIterable<Buffer>): Promise<void> {
    const at = this.#at(name)
    await this.#requireFree(name)
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(at))
    const upload = { ...at, UploadId }
    try {
      const parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = []
      for await (const part of inParts(bytes)) {
        const PartNumber = parts.length + 1
        const { ETag } = await this.#client.send(new UploadPartCommand({ ...upload, PartNumber, Body: part }))
        parts.push({ PartNumber, ETag })
      }
      await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }))
    } catch (error) {
      await this.#client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
      throw error
    }
  }

  /** S3 cannot rename. The copy exists as a whole, or not at all. */
  async rename(from: string, to: string): Promise<void> {
    await this.#requireFree(to)
    const { ContentLength = 0 } = await this.#client.send(new HeadObjectCommand(this.#at(from)))
    const CopySource = `${this.#bucket}/${this.#at(from).Key}`
    if (ContentLength > mostBytes)
      throw new BackupRefused(`${this.address} says that ${from} has ${ContentLength} bytes`)
    if (ContentLength <= mostCopiedBytes)
      await this.#client.send(new CopyObjectCommand({ ...this.#at(to), CopySource }))
    else await this.#copyInParts(CopySource, to, ContentLength)
    await this.remove(from)
  }

  async #copyInParts(CopySource: string, to: string, length: number): Promise<void> {
    const at = this.#at(to)
    const { UploadId } = await this.#client.send(new CreateMultipartUploadCommand(at))
    const upload = { ...at, UploadId }
    const parts: { readonly PartNumber: number; readonly ETag: string | undefined }[] = []
    for (let start = 0; start < length; start += mostCopiedBytes) {
      const end = Math.min(start + mostCopiedBytes, length) - 1
      const PartNumber = parts.length + 1
      const range = { CopySource, CopySourceRange: `bytes=${start}-${end}` }
      const { CopyPartResult } = await this.#client.send(new UploadPartCopyCommand({ ...upload, ...range, PartNumber }))
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag })
    }
    await this.#client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts: parts } }))
  }

  async remove(name: string): Promise<void> {
    await this.#client.send(new DeleteObjectCommand(this.#at(name)))
  }

  close(): void {
    this.#client.destroy()
  }

  /** Names are random: this guards against an operator's mistake, and is not a lock. */
  async #requireFree(name: string): Promise<void> {
    const found = await this.#client.send(new HeadObjectCommand(this.#at(name))).catch((error: unknown) => {
      if (isMissing(error)) return undefined
      throw error
    })
    if (found !== undefined) throw alreadyThere(name)
  }

  async #body(name: string, Range?: string): Promise<AsyncIterable<Buffer>> {
    const { Body } = await this.#client
      .send(new GetObjectCommand({ ...this.#at(name), ...(Range !== undefined && { Range }) }))
      .catch((error: unknown) => {
        throw isMissing(error)
          ? new BackupRefused(`there is no ${name} in ${this.address}: see tenant backup list`)
          : error
      })
    if (!(Body instanceof Readable)) throw new BackupRefused(`${this.address} sent nothing for ${name}`)
    return Body
  }

  #at(name: string): { readonly Bucket: string; readonly Key: string } {
    requireBackupName(name)
    return { Bucket: this.#bucket, Key: this.#prefix + name }
  }
}

async function* inParts(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = []
  let held = 0
  for await (const piece of bytes) {
    pieces.push(piece)
    held += piece.length
    if (held < partBytes) continue
    yield Buffer.concat(pieces, held)
    pieces = []
    held = 0
  }
  if (held > 0) yield Buffer.concat(pieces, held)
}
