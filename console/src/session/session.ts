import { type Management, managementGroupIn, managementOf } from '../api/management.ts'
import type { AccessKeyScope } from '../api/objects.ts'
import { type Owner, ownerOf } from '../api/owner.ts'
import { ApiProblem } from '../api/problem.ts'
import { ask, send } from '../api/request.ts'
import { forgetCounterpart, keepCounterpart } from '../api/session-counterpart.ts'
import { timeOf } from '../format/time.ts'
import type { ReturnedCode } from './sign-on.ts'

/** The signed-in user, and their key. */
export interface Session {
  readonly management: Management
  readonly user: string
  /** The User or Team of the platform, if there is one. */
  readonly owner: Owner | undefined
  readonly teams: readonly string[]
  readonly groups: readonly string[]
  readonly key: SessionKey | undefined
}

/** A session is a key of type `Login`. */
export interface SessionKey {
  readonly name: string
  /** Name of the key that it was started with; absent if that was a token that the platform was started with. */
  readonly startedWith: string | undefined
  readonly scope: AccessKeyScope | undefined
  /** When the session ends if it is not used again. */
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
    readonly accessKey?: { readonly name: string; readonly startedWith?: string; readonly scope?: AccessKeyScope }
  }
}

const sessionPath = '/auth/session'

/** Undefined if the user is not signed in. */
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

/** Signs in with the code of a sign-in at an identity provider. */
export async function signInByCode(returned: ReturnedCode): Promise<Session> {
  return readSession(await begin(returned))
}

/** Starts a session with the key, which replaces the current one, if any. */
export function beginSession(accessKey: string): Promise<SessionAnswer> {
  return begin({ accessKey })
}

async function begin(body: { readonly accessKey: string } | ReturnedCode): Promise<SessionAnswer> {
  const { counterpart, ...answer } = await ask<SessionAnswer & { readonly counterpart: string }>(sessionPath, {
    method: 'POST',
    body,
  })
  keepCounterpart(counterpart)
  return answer
}

export async function signOut(): Promise<void> {
  try {
    await send(sessionPath, { method: 'DELETE' })
  } finally {
    forgetCounterpart()
  }
}

/** Ends every session of the signed-in user, including this one, and all sign-ins to applications. */
export async function signOutEverywhere({ management, owner }: Session): Promise<void> {
  if (owner === undefined) return signOut()
  // The current session is among the last.
  for (const type of ['OIDCRefreshToken', 'Login']) {
    const fieldSelector = `spec.type=${type},spec.${owner.kind}=${owner.name}`
    await send(management.path('ownedaccesskeys', { query: { fieldSelector } }), { method: 'DELETE' })
  }
  forgetCounterpart()
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
    key: accessKey && {
      name: accessKey.name,
      startedWith: accessKey.startedWith,
      scope: accessKey.scope,
      endMs,
    },
  }
}
