import { resolve } from 'node:path'
import { oldestVersion } from '../token/exec-credential.ts'
import type { KubeconfigEntry } from './entry.ts'
import type { OwnProgram } from './own-program.ts'

export interface PluginOptions {
  readonly program: OwnProgram
  readonly platform: string
  readonly project: string
  readonly name: string
  readonly keyTtlSeconds: number | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

const hint = `The program tenant is needed on this machine, logged in to the platform. Where there is none, use a kubeconfig
that holds an access key itself: tenant connect NAME --print --static-key`

/** A kubeconfig user that gets its keys from \`tenant token\`: nothing in it is secret. */
export function pluginUser(options: PluginOptions): KubeconfigEntry['user'] {
  const { program, platform, project, name, keyTtlSeconds, env } = options
  const ttl = keyTtlSeconds === undefined ? [] : ['--ttl', `${keyTtlSeconds}s`]
  const { TENANT_CONFIG: config = '' } = env
  return {
    exec: {
      apiVersion: oldestVersion,
      command: program.command,
      args: [...program.args, 'token', name, '--project', project, '--platform', platform, ...ttl],
      ...(config === '' ? {} : { env: [{ name: 'TENANT_CONFIG', value: resolve(config) }] }),
      interactiveMode: 'Never',
      provideClusterInfo: false,
      installHint: hint,
    },
  }
}
