import { type Management, managementGroupIn, managementOf } from '../api/management.ts'
import type { AccessKeyScope } from '../api/objects.ts'
import { type Owner, ownerOf } from '../api/owner.ts'
import { ApiProblem } from '../api/problem.ts'
import { ask, send } from '../api/request.ts'
import { timeOf } from '../format/time.ts'

/** Whoever is signed in, and by which key. */
export interface Session {
  readonly management: Management
  readonly user: string
  /** Name of the User or Team of the platform, when it is one. */
  readonly owner: Owner | undefined
  readonly teams: readonly string[]
  readonly groups: readonly string[]
  readonly key: SessionKey | undefined
}

export interface SessionKey {
  readonly name: string
  readonly keyId: string
  readonly scope: AccessKeyScope | undefined
  /** When the key ends; absent when it does not by itself. */
  readonly endMs: number | undefined
}

interface SessionAnswer {
  readonly user?: string
  readonly expiresAt?: string
}

interface SelfAnswer {
  readonly status: {
    readonly user?: string
    readonly team?: string
    readonly subject?: string
    readonly teams?: readonly string[]
    readonly userInfo?: { readonly username?: string; readonly groups?: readonly string[] }
    readonly accessKey?: { readonly name: string; readonly keyId: string; readonly scope?: AccessKeyScope }
  }
}

const sessionPath = '/auth/session'

/** Undefined when nobody is signed in. */
export async function currentSession(): Promise<Session | undefined> {
  const answer = await ask<SessionAnswer>(sessionPath)
  return answer.user === undefined ? undefined : readSession(answer)
}

export async function isSignedIn(): Promise<boolean> {
  return (await ask<SessionAnswer>(sessionPath)).user !== undefined
}

export async function signIn(accessKey: string): Promise<Session> {
  return readSession(await beginSession(accessKey))
}

/** The cookie from now on, also for whoever is signed in already. */
export function beginSession(accessKey: string): Promise<SessionAnswer> {
  return ask(sessionPath, { method: 'POST', body: { accessKey } })
}

export async function signOut(): Promise<void> {
  await send(sessionPath, { method: 'DELETE' })
}

async function readSession({ expiresAt }: SessionAnswer): Promise<Session> {
  const group = managementGroupIn(await ask('/apis'))
  if (group === undefined) throw new ApiProblem(404, 'This server is no platform: it has no management API.')
  const management = managementOf(group)
  const body = { apiVersion: management.apiVersion, kind: 'Self' }
  const { status } = await ask<SelfAnswer>(management.path('selves'), { method: 'POST', body })
  return sessionFrom(management, status, timeOf(expiresAt))
}

function sessionFrom(management: Management, status: SelfAnswer['status'], endMs: number | undefined): Session {
  const { user, team, subject, teams = [], userInfo = {}, accessKey } = status
  return {
    management,
    user: userInfo.username ?? user ?? '',
    owner: ownerOf({ user, team, subject }),
    teams,
    groups: userInfo.groups ?? [],
    key: accessKey && { name: accessKey.name, keyId: accessKey.keyId, scope: accessKey.scope, endMs },
  }
}
