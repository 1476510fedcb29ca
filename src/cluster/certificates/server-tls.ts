import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ensureCertificates, type GivenAuthority, type MakeAlone } from '../../base/certificates/ensure.ts'
import { type Clock, systemClock } from '../../base/clock.ts'
import { errorText } from '../../base/error-text.ts'
import { UsageError } from '../../base/usage-error.ts'

/** PEM files given by the operator. */
export interface TlsFlags {
  readonly tlsCert?: string
  readonly tlsKey?: string
  /** The authority that clients trust; defaults to the certificate itself. */
  readonly tlsCa?: string
  /** The key of that authority: certificates are made with it, in place of a given one. */
  readonly tlsCaKey?: string
}

export interface ServerTls {
  readonly key: string
  readonly certificate: string
  readonly authority: string
  readonly authorityFile: string
}

interface TlsOptions extends TlsFlags {
  readonly directory: string
  readonly name: string
  /** Names and addresses of the server. */
  readonly names: readonly string[]
  readonly clock?: Clock
  /** Absent: no other process uses the directory. */
  readonly makeAlone?: MakeAlone
}

type TlsChoice =
  | { readonly form: 'own' }
  | { readonly form: 'by authority'; readonly tlsCa: string; readonly tlsCaKey: string }
  | { readonly form: 'given'; readonly tlsCert: string; readonly tlsKey: string; readonly tlsCa: string }

/** Resolves the combination of flags; an invalid one is refused before anything is opened. */
export function tlsChoice({ tlsCert, tlsKey, tlsCa = tlsCert, tlsCaKey }: TlsFlags): TlsChoice {
  if (tlsCaKey !== undefined) {
    if (tlsCa !== undefined && tlsCert === undefined && tlsKey === undefined)
      return { form: 'by authority', tlsCa, tlsCaKey }
    throw new UsageError(
      '--tls-ca-key goes with --tls-ca, and makes the certificate: leave out --tls-cert and --tls-key',
    )
  }
  if (tlsCert === undefined && tlsKey === undefined && tlsCa === undefined) return { form: 'own' }
  if (tlsCert === undefined || tlsKey === undefined || tlsCa === undefined) {
    throw new UsageError('--tls-cert and --tls-key go together: give both, or neither for a certificate of our own')
  }
  return { form: 'given', tlsCert, tlsKey, tlsCa }
}

/** The given certificate, or one of a given authority or our own, made at the first start. */
export async function serverTls(options: TlsOptions): Promise<ServerTls> {
  const choice = tlsChoice(options)
  if (choice.form === 'own') return ownCertificate(options)
  if (choice.form === 'by authority') return certificateBy(choice, options)
  const { tlsCert, tlsKey, tlsCa } = choice
  const [key, certificate, authority] = await Promise.all([tlsKey, tlsCert, tlsCa].map((file) => readPem(file)))
  requirePair({ file: tlsCert, text: certificate ?? '' }, { file: tlsKey, text: key ?? '' })
  return { key: key ?? '', certificate: certificate ?? '', authority: authority ?? '', authorityFile: tlsCa }
}

function ownCertificate(
  { directory, name, names, clock = systemClock, makeAlone }: TlsOptions,
  authority?: GivenAuthority,
): Promise<ServerTls> {
  const options = { directory: join(directory, 'pki'), name, names, clock, authority }
  return ensureCertificates({ ...options, ...(makeAlone && { makeAlone }) })
}

async function certificateBy(
  { tlsCa, tlsCaKey }: TlsChoice & { readonly form: 'by authority' },
  options: TlsOptions,
): Promise<ServerTls> {
  const [key = '', cert = ''] = await Promise.all([tlsCaKey, tlsCa].map((file) => readPem(file)))
  requirePair({ file: tlsCa, text: cert }, { file: tlsCaKey, text: key })
  return ownCertificate(options, { key, cert, file: tlsCa })
}

async function readPem(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`cannot read ${file}: ${error.message}`)
  })
  if (text.includes('-----BEGIN ')) return text
  throw new UsageError(`${file} holds no PEM: it should start with a line such as -----BEGIN CERTIFICATE-----`)
}

interface PemFile {
  readonly file: string
  readonly text: string
}

/** Otherwise, clients would find out, one handshake after the other. */
function requirePair(certificate: PemFile, key: PemFile): void {
  const read = parsed(certificate, 'certificate', (text) => new X509Certificate(text))
  if (read.checkPrivateKey(parsed(key, 'private key', createPrivateKey))) return
  throw new UsageError(`the key in ${key.file} does not belong to the certificate in ${certificate.file}`)
}

function parsed<T>({ file, text }: PemFile, what: string, read: (text: string) => T): T {
  try {
    return read(text)
  } catch (error) {
    throw new UsageError(`${file} holds no ${what} that can be read: ${errorText(error)}`)
  }
}
