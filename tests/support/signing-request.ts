import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RequestOptions {
  /** In the notation of OpenSSL: `/O=dev/CN=carol`. */
  readonly subject: string
  /** Alternative names, such as `DNS:node-1,IP:10.0.0.1`. */
  readonly names?: string
  /** Parameters of `-newkey`. Absent: a key on the curve P-256. */
  readonly key?: readonly string[]
  /** Other parameters of `openssl req`. */
  readonly more?: readonly string[]
}

export interface MadeRequest {
  /** PEM. */
  readonly request: string
  /** PEM. */
  readonly key: string
}

const usualKey = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

/** A request for a certificate, made by OpenSSL. */
export function makeRequest({ subject, names, key = usualKey, more = [] }: RequestOptions): MadeRequest {
  const directory = mkdtempSync(join(tmpdir(), 'signing-request-'))
  try {
    const keyFile = join(directory, 'key.pem')
    const extensions = names === undefined ? [] : ['-addext', `subjectAltName=${names}`]
    const parameters = ['req', '-new', '-newkey', ...key, '-nodes', '-subj', subject, '-keyout', keyFile]
    const request = execFileSync('openssl', [...parameters, ...extensions, ...more], { stdio: 'pipe' }).toString()
    return { request, key: readFileSync(keyFile, 'utf8') }
  } finally {
    rmSync(directory, { recursive: true })
  }
}
