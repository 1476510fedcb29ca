import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { isCode } from '../api/problem.ts'
import { whenCounterpartChanges } from '../api/session-counterpart.ts'
import { forgetCollections } from '../live/collections.ts'
import { forgetUnsaved, keepUnsaved, restoreOnlyFor } from '../parts/unsaved.ts'
import { currentSession, type Session, signInByCode, signOut, signOutEverywhere } from './session.ts'
import { SessionWatch } from './session-watch.ts'
import type { ReturnedCode } from './sign-on.ts'

type GateState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'failed'; readonly problem: unknown }
  | { readonly phase: 'outside'; readonly notice: string }
  | { readonly phase: 'inside'; readonly session: Session }

export interface Gate {
  readonly state: GateState
  /** Asks the platform again whose session this is. */
  readonly look: () => void
  /** The user has signed in. */
  readonly signedIn: (session: Session) => void
  readonly endSession: () => void
  readonly endAllSessions: (session: Session) => Promise<void>
  readonly holdSession: SessionWatch['hold']
}

const notEnded =
  'This browser has deleted the session, but the platform did not respond: there, the session stays valid until it expires or until you end it on the access keys page.'
const notFinished = 'The sign-in was not finished: it took too long, or was begun in another tab. Sign in again.'
const sessionOver = 'Your session has ended. Sign in to continue where you were.'

/** The session of this browser. `returned`: the code of a sign-in at an identity provider. */
export function useGate(returned: ReturnedCode | undefined): Gate {
  const [state, setState] = useState<GateState>({ phase: 'asking' })
  const queries = useQueryClient()

  const forgetAnswers = useCallback(() => {
    forgetCollections()
    queries.clear()
  }, [queries])

  const enter = useCallback((session: Session) => {
    restoreOnlyFor(session.user)
    setState({ phase: 'inside', session })
  }, [])

  const look = useCallback(() => {
    setState({ phase: 'asking' })
    currentSession().then(
      (session) => (session === undefined ? setState({ phase: 'outside', notice: '' }) : enter(session)),
      (problem: unknown) => setState({ phase: 'failed', problem }),
    )
  }, [enter])

  const inside = useRef<Session>(undefined)
  useEffect(() => {
    inside.current = state.phase === 'inside' ? state.session : undefined
  }, [state])

  const leave = useCallback(
    (notice: string) => {
      // Refusals may still arrive when the sign-in page has begun to ask its own questions.
      if (inside.current === undefined) return
      keepUnsaved(inside.current.user)
      forgetAnswers()
      setState({ phase: 'outside', notice })
    },
    [forgetAnswers],
  )
  const [watch] = useState(() => new SessionWatch(() => leave(sessionOver)))

  const finish = useCallback(
    (code: ReturnedCode) => {
      signInByCode(code).then(enter, (problem: unknown) =>
        setState(isCode(problem, 401) ? { phase: 'outside', notice: notFinished } : { phase: 'failed', problem }),
      )
    },
    [enter],
  )
  // A code is valid once, and React may run effects twice.
  const [pending] = useState(() => ({ code: returned }))
  useEffect(() => {
    const { code } = pending
    pending.code = undefined
    if (code === undefined) look()
    else finish(code)
  }, [look, finish, pending])
  useEffect(() => watch.start(), [watch])
  useEffect(
    () =>
      whenCounterpartChanges(() => {
        if (inside.current !== undefined) keepUnsaved(inside.current.user)
        forgetAnswers()
        look()
      }),
    [look, forgetAnswers],
  )

  const signedIn = (session: Session) => {
    forgetAnswers()
    enter(session)
  }
  const endSession = () => {
    forgetCollections()
    forgetUnsaved()
    setState({ phase: 'asking' })
    const outside = (notice: string) => {
      queries.clear()
      setState({ phase: 'outside', notice })
    }
    signOut().then(
      () => outside(''),
      () => outside(notEnded),
    )
  }
  const endAllSessions = async (session: Session) => {
    await signOutEverywhere(session)
    leave('')
    forgetUnsaved()
  }
  return { state, look, signedIn, endSession, endAllSessions, holdSession: watch.hold }
}
