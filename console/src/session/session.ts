import { type Management, managementGroupIn, managementOf } from '../api/management.ts'
import type { AccessKeyScope } from '../api/objects.ts'
import { ApiProblem } from '../api/problem.ts'
import { ask, send } from '../api/request.ts'
import { type Owner, ownerOf } from '../keys/owner.ts'

/** Whoever is signed in, and by which key. */
export interface Session {
  readonly management: Management
  readonly user: string
  /** Name of the User or Team of the platform, when it is one. */
  readonly owner: Owner | undefined
  readonly teams: readonly string[]
  readonly groups: readonly string[]
  readonly key:
    | { readonly name: string; readonly keyId: string; readonly scope: AccessKeyScope | undefined }
    | undefined
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
  const { user } = await ask<{ readonly user?: string }>(sessionPath)
  return user === undefined ? undefined : readSession()
}

export async function signIn(accessKey: string): Promise<Session> {
  await send(sessionPath, { method: 'POST', body: { accessKey } })
  return readSession()
}

export async function signOut(): Promise<void> {
  await send(sessionPath, { method: 'DELETE' })
}

async function readSession(): Promise<Session> {
  const group = managementGroupIn(await ask('/apis'))
  if (group === undefined) throw new ApiProblem(404, 'This server is no platform: it has no management API.')
  const management = managementOf(group)
  const body = { apiVersion: management.apiVersion, kind: 'Self' }
  const { status } = await ask<SelfAnswer>(management.path('selves'), { method: 'POST', body })
  return sessionFrom(management, status)
}

function sessionFrom(management: Management, status: SelfAnswer['status']): Session {
  const { user, team, subject, teams = [], userInfo = {}, accessKey } = status
  return {
    management,
    user: userInfo.username ?? user ?? '',
    owner: ownerOf({ user, team, subject }),
    teams,
    groups: userInfo.groups ?? [],
    key: accessKey && { name: accessKey.name, keyId: accessKey.keyId, scope: accessKey.scope },
  }
}
