import { readFile } from 'node:fs/promises'
import { UsageError } from '../../../base/usage-error.ts'
import { openConnection } from '../../../client/connection/connect.ts'
import { UntrustedCertificate } from '../../../client/connection/connection-error.ts'
import { platformEndpoint } from '../../../client/connection/platform-endpoint.ts'
import type { Trust } from '../../../client/connection/trust.ts'
import { say } from '../../output/messages.ts'
import { textTable } from '../../output/text-table.ts'
import { confirmed, type Prompt } from '../../terminal/prompt.ts'
import { whyUnreadable } from '../../terminal/read-text.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import type { LoginOptions } from './login-options.ts'

/**
 * How the platform will be recognized from now on. Nothing secret has been sent when this returns. Trust from the
 * command line or from before is never replaced by a question: a certificate that does not match it is an error.
 */
export async function establishTrust(
  options: LoginOptions,
  known: Trust | undefined,
  terminal: Terminal,
  prompt: Prompt | undefined,
): Promise<Trust> {
  const trust = (await statedTrust(options)) ?? known ?? { mode: 'system' }
  try {
    const connection = await openConnection(platformEndpoint({ url: options.url, trust }, terminal.env))
    connection.destroy()
    return trust
  } catch (error) {
    if (!(error instanceof UntrustedCertificate) || trust.mode !== 'system' || prompt === undefined) throw error
    return trustOnFirstUse(error, terminal, prompt)
  }
}

async function statedTrust({ ca, fingerprint }: LoginOptions): Promise<Trust | undefined> {
  if (fingerprint !== undefined) return { mode: 'fingerprint', fingerprint }
  return ca === undefined ? undefined : { mode: 'authority', authority: await readAuthority(ca) }
}

async function readAuthority(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`cannot read ${file}: ${whyUnreadable(error)}`)
  })
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g)
  if (certificates === null) throw new UsageError(`${file} holds no certificate in PEM`)
  return `${certificates.join('\n')}\n`
}

async function trustOnFirstUse(error: UntrustedCertificate, terminal: Terminal, prompt: Prompt): Promise<Trust> {
  const { fingerprint, subject, issuer, validFrom, validTo } = error.certificate
  const certificate = textTable([
    ['  Subject', subject],
    ['  Issuer', issuer],
    ['  Valid', `${validFrom} to ${validTo}`],
    ['  Fingerprint', fingerprint],
  ])
  say(terminal, `${error.message}\n\n${certificate}`)
  say(terminal, 'Compare the fingerprint with one that you got from the administrator of the platform.')
  if (await confirmed(prompt, 'Trust this certificate from now on?')) return { mode: 'fingerprint', fingerprint }
  throw new Error('the certificate was not trusted, and nothing was sent')
}
