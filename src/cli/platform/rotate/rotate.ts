import { isRefusal } from '../../../api/error.ts'
import { type RotationResult, rotationParts, rotationPath } from '../../../api/rotation.ts'
import { systemClock } from '../../../base/clock.ts'
import { packageVersion } from '../../../base/package-version.ts'
import { systemRandom } from '../../../base/random.ts'
import { UsageError } from '../../../base/usage-error.ts'
import { bodyOf, type JsonBody, refusalOf } from '../../../client/answer-body.ts'
import type { ClusterAccess } from '../../../client/kubeconfig/contract.ts'
import { usualLimits } from '../../../client/transport/limits.ts'
import { createTransport } from '../../../client/transport/transport.ts'
import { backupTarget } from '../../backup/target.ts'
import { say } from '../../output/messages.ts'
import { print } from '../../output/print.ts'
import { printData } from '../../output/print-object.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { explained } from '../failure-text.ts'
import type { RotateCertificatesOptions } from './options.ts'
import { rotateInstalled } from './rotate-installed.ts'

export async function rotateCertificates(options: RotateCertificatesOptions, terminal: Terminal): Promise<void> {
  if (options.installed === true) return rotateInstalled(options, terminal)
  const { access } = await backupTarget(options, terminal)
  const result = await asked(access, options, terminal)
  const { output } = options
  if (output === 'json' || output === 'yaml') return printData(terminal, output, result)
  print(terminal, partsText(result))
  if (Object.values(result.parts).includes('given')) {
    say(terminal, 'the server does not replace files that it was given; after tenant platform install, use --installed')
  }
}

async function asked(
  access: ClusterAccess,
  options: RotateCertificatesOptions,
  terminal: Terminal,
): Promise<RotationResult> {
  const { env } = terminal
  const userAgent = `tenant/${packageVersion()}`
  const transport = createTransport({ access, limits: usualLimits, userAgent, random: systemRandom, env })
  try {
    const answer = await transport.send({ method: 'POST', path: `${rotationPath}?${queryOf(options)}` })
    if (answer.status !== 200) throw refusalOf(answer, transport.origin)
    return resultOf(bodyOf(answer, transport.origin))
  } catch (error) {
    if (isRefusal(error, 404)) {
      throw new Error(
        `${transport.origin} cannot rotate: it is not an API server of this program, or its version is too old`,
      )
    }
    const context = { url: access.url.origin, nowMs: systemClock.now(), serverNowMs: undefined, env }
    throw explained(error, context, '')
  } finally {
    transport.close()
  }
}

function queryOf({ only = [], overlap }: RotateCertificatesOptions): URLSearchParams {
  const query = new URLSearchParams(only.map((part) => ['part', part]))
  if (overlap !== undefined) query.set('overlapSeconds', String(overlap))
  return query
}

function resultOf({ parts, certificateEnds, authorityFingerprint, authorityEnds, ...body }: JsonBody): RotationResult {
  const { authoritiesBefore } = body
  const became = new Map(Object.entries(typeof parts === 'object' && parts !== null ? parts : {}))
  const told = rotationParts.flatMap((part) => {
    const what: unknown = became.get(part)
    return what === 'replaced' || what === 'given' ? [[part, what] as const] : []
  })
  if (typeof certificateEnds !== 'string' || typeof authorityFingerprint !== 'string' || told.length === 0)
    throw new UsageError('the response of the server does not list the replaced files')
  return {
    parts: Object.fromEntries(told),
    certificateEnds,
    authorityFingerprint,
    authorityEnds: String(authorityEnds),
    authoritiesBefore: Number(authoritiesBefore),
  }
}

function partsText({ parts, ...shown }: RotationResult): string {
  const lines = rotationParts.flatMap((part) => (parts[part] === undefined ? [] : [[part, parts[part]] as const]))
  const more = [
    ['certificate ends', shown.certificateEnds],
    ['authority', `SHA256:${shown.authorityFingerprint}`],
    ['authority ends', shown.authorityEnds],
    ['also trusted', `${shown.authoritiesBefore} before it`],
  ] as const
  return [...lines, ...more].map(([name, value]) => `${name.padEnd(width)}${value}\n`).join('')
}

const width = 'service-account-keys'.length + 2
