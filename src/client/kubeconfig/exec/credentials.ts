import { dirname, resolve } from 'node:path'
import type { Clock } from '../../../base/clock.ts'
import { asMembers } from '../../../base/json/lenient.ts'
import type { ClientCredentials } from '../contract.ts'
import { flagIn, problem, type Section, textIn, textsIn } from '../section.ts'
import { bearer } from '../token-file.ts'
import { type ExecCluster, type ExecCredential, execInfo, execVersions, readExecCredential } from './protocol.ts'
import { type Plugin, runPlugin } from './run.ts'

/** A credential is replaced this long before it ends, so that it does not end while in use. */
const reserveMs = 5_000
/** A plugin whose credentials are refused is not run more often than this. */
const shortestPauseMs = 5_000

export interface ExecContext {
  readonly clock: Clock
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cluster: ExecCluster
}

/** Credentials from a plugin. It is run when they are needed, have expired, or are refused. */
export function createExecCredentials(exec: Section, { clock, env, cluster }: ExecContext): ClientCredentials {
  const apiVersion = versionIn(exec)
  const told = flagIn(exec, 'provideClusterInfo') ? cluster : undefined
  const plugin = pluginIn(exec, { ...env, KUBERNETES_EXEC_INFO: execInfo(apiVersion, told) })
  let held: (ExecCredential & { readonly madeAtMs: number }) | undefined
  let running: Promise<ExecCredential> | undefined

  const run = async () => {
    const made = readExecCredential(await runPlugin(plugin), apiVersion, plugin.command)
    held = { ...made, madeAtMs: clock.now() }
    return made
  }
  const current = (): Promise<ExecCredential> => {
    if (held !== undefined && !hasEnded(held, clock.now())) return Promise.resolve(held)
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    headers: async () => {
      const { token } = await current()
      return token === undefined ? {} : bearer(token)
    },
    clientCertificate: async () => (await current()).clientCertificate,
    refused: (authorization) => {
      const isReplaced = held?.token !== undefined && bearer(held.token).authorization !== authorization
      if (isReplaced) return true
      if (held !== undefined && clock.now() - held.madeAtMs < shortestPauseMs) return false
      held = undefined
      return true
    },
  }
}

function hasEnded({ expiresAtMs }: ExecCredential, nowMs: number): boolean {
  return expiresAtMs !== undefined && nowMs >= expiresAtMs - reserveMs
}

function versionIn(exec: Section): string {
  const apiVersion = textIn(exec, 'apiVersion')
  if (apiVersion !== undefined && execVersions.includes(apiVersion)) return apiVersion
  throw problem(exec, 'apiVersion', `is ${apiVersion ?? 'missing'}; supported are ${execVersions.join(' and ')}`)
}

function pluginIn(exec: Section, env: Plugin['env']): Plugin {
  const command = textIn(exec, 'command')
  if (command === undefined) throw problem(exec, 'command', 'is missing')
  if (textIn(exec, 'interactiveMode') === 'Always')
    throw problem(exec, 'interactiveMode', 'is Always, but there is no user to prompt')
  return {
    // A bare name is looked up on the PATH, anything else is relative to the file.
    command: command.includes('/') ? resolve(dirname(exec.file), command) : command,
    parameters: textsIn(exec, 'args'),
    env: { ...env, ...variablesIn(exec) },
    installHint: textIn(exec, 'installHint'),
  }
}

function variablesIn(exec: Section): Readonly<Record<string, string>> {
  const list = exec.fields.env ?? []
  if (!Array.isArray(list)) throw problem(exec, 'env', 'is not a list')
  return Object.fromEntries(
    list.map((variable: unknown, index) => {
      const { name, value = '' } = asMembers(variable)
      if (typeof name === 'string' && typeof value === 'string') return [name, value]
      throw problem(exec, `env[${index}]`, 'does not hold a name and a value')
    }),
  )
}
