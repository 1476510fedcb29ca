import { useQueryClient } from '@tanstack/react-query'
import { type ComponentProps, type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { isCode } from '../api/problem.ts'
import { whenCounterpartChanges } from '../api/session-counterpart.ts'
import { forgetCollections } from '../live/collections.ts'
import { Failed, Loading } from '../parts/shown.tsx'
import { forgetUnsaved, keepUnsaved, restoreOnlyFor } from '../parts/unsaved.ts'
import { leaveTo, silentRefusal } from './authorization.ts'
import { currentSession, type Session, signInByCode, signOut, signOutEverywhere } from './session.ts'
import { SessionProvider } from './session-context.tsx'
import { SessionWatch } from './session-watch.ts'
import { SignIn } from './sign-in.tsx'
import type { ReturnedCode } from './sign-on.ts'

type GateState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'failed'; readonly problem: unknown }
  | { readonly phase: 'outside'; readonly notice: string }
  | { readonly phase: 'inside'; readonly session: Session }

const notEnded =
  'This browser has deleted the session, but the platform did not respond: there, the session stays valid until it expires or until you end it on the access keys page.'
const notFinished = 'The sign-in was not finished: it took too long, or was begun in another tab. Sign in again.'
const sessionOver = 'Your session has ended. Sign in to continue where you were.'

interface SessionGateProps {
  /** The code of a sign-in at an identity provider, from which the browser has just returned. */
  readonly returned: ReturnedCode | undefined
  readonly children: ReactNode
}

/** Shows the console to signed-in users, and the sign-in page to all others. The address stays unchanged. */
export function SessionGate({ returned, children }: SessionGateProps) {
  const [state, setState] = useState<GateState>({ phase: 'asking' })
  const queries = useQueryClient()

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
      forgetCollections()
      queries.clear()
      setState({ phase: 'outside', notice })
    },
    [queries],
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
        forgetCollections()
        queries.clear()
        look()
      }),
    [look, queries],
  )

  switch (state.phase) {
    case 'asking':
      return (
        <main className="p-8">
          <Loading />
        </main>
      )
    case 'failed':
      return <Unreachable problem={state.problem} onRetry={look} />
    case 'outside':
      return (
        <Outside
          notice={state.notice}
          onSignedIn={(session) => {
            forgetCollections()
            queries.clear()
            enter(session)
          }}
        />
      )
    case 'inside':
      return (
        <SessionProvider
          value={{
            session: state.session,
            endSession: () => {
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
            },
            endAllSessions: () =>
              signOutEverywhere(state.session).then(() => {
                leave('')
                forgetUnsaved()
              }),
            holdSession: watch.hold,
          }}
        >
          {children}
        </SessionProvider>
      )
  }
}

/** The sign-in page, unless an application asked not to prompt the user. */
function Outside(props: ComponentProps<typeof SignIn>) {
  const [refusal] = useState(silentRefusal)
  useEffect(() => {
    if (refusal !== undefined) leaveTo(refusal)
  }, [refusal])
  return refusal === undefined ? <SignIn {...props} /> : <Loading />
}

function Unreachable({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  return (
    <main className="mx-auto grid max-w-md gap-4 p-8 pt-24">
      <h1 className="text-lg font-semibold">The platform cannot be reached</h1>
      <Failed failure={{ problem, retry: onRetry }} />
    </main>
  )
}
