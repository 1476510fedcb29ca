import type { RequestTarget } from '../../../api/access.ts'
import type { AccessKeyScope, SecretPlace } from '../../../api/types/management.ts'
import type { OutputFormat } from '../../output/format.ts'
import type { SessionFlags } from '../session.ts'

export interface KeyCreateOptions extends SessionFlags {
  readonly name?: string
  readonly displayName?: string
  readonly description?: string
  readonly user?: string
  readonly team?: string
  readonly ttlSeconds?: number
  readonly sliding: boolean
  readonly scope?: AccessKeyScope
  /** `-` is standard input. */
  readonly file?: string
  readonly output: OutputFormat
  readonly quiet: boolean
}

export interface KeyListOptions extends SessionFlags {
  readonly output: OutputFormat
}

export interface KeyGetOptions extends KeyListOptions {
  readonly name: string
}

export interface AdviseOptions extends Omit<KeyGetOptions, 'output'> {
  readonly output: 'patch' | 'json' | 'yaml'
}

export interface RotateOptions extends KeyGetOptions {
  readonly overlapSeconds: number
  readonly quiet: boolean
  readonly yes: boolean
}

export interface SecretsOptions extends KeyGetOptions {
  readonly add: readonly SecretPlace[]
  readonly remove: readonly SecretPlace[]
}

export interface StateOptions extends KeyListOptions {
  readonly names: readonly string[]
  readonly disabled: boolean
}

export interface KeyDeleteOptions extends SessionFlags {
  readonly names: readonly string[]
  readonly output: 'text' | 'name'
  readonly yes: boolean
}

export interface ExplainOptions extends SessionFlags {
  readonly keyName: string
  readonly verb: string
  readonly asked: AskedResource | { readonly path: string }
  readonly target: RequestTarget
  readonly output: OutputFormat
}

export interface AskedResource {
  readonly group: string
  readonly resource: string
  readonly subresource: string
  readonly namespace: string
  readonly name: string
}
