import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { whenCounterpartChanges } from '../api/session-counterpart.ts'
import { forgetCollections } from '../live/collections.ts'
import { Failed, Loading } from '../parts/shown.tsx'
import { currentSession, type Session, signOut, signOutEverywhere } from './session.ts'
import { SessionProvider } from './session-context.tsx'
import { SessionWatch } from './session-watch.ts'
import { SignIn } from './sign-in.tsx'

type GateState =
  | { readonly phase: 'asking' }
  | { readonly phase: 'failed'; readonly problem: unknown }
  | { readonly phase: 'outside'; readonly notice: string }
  | { readonly phase: 'inside'; readonly session: Session }

const notEnded =
  'This browser has forgotten the session, but the platform did not answer: there it goes on until it ends by itself, or until it is ended on the page of access keys.'
const sessionOver = 'Your session has ended. Sign in to go on where you were.'

/** Shows the console to whoever is signed in, and the door to everybody else. The address stays as it is. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<GateState>({ phase: 'asking' })
  const queries = useQueryClient()

  const look = useCallback(() => {
    setState({ phase: 'asking' })
    currentSession().then(
      (session) => setState(session === undefined ? { phase: 'outside', notice: '' } : { phase: 'inside', session }),
      (problem: unknown) => setState({ phase: 'failed', problem }),
    )
  }, [])

  const leave = useCallback(
    (notice: string) => {
      forgetCollections()
      queries.clear()
      setState((now) => (now.phase === 'inside' ? { phase: 'outside', notice } : now))
    },
    [queries],
  )
  const [watch] = useState(() => new SessionWatch(() => leave(sessionOver)))

  useEffect(look, [look])
  useEffect(() => watch.start(), [watch])
  useEffect(
    () =>
      whenCounterpartChanges(() => {
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
        <SignIn
          notice={state.notice}
          onSignedIn={(session) => {
            forgetCollections()
            queries.clear()
            setState({ phase: 'inside', session })
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
            endAllSessions: () => signOutEverywhere(state.session).then(() => leave('')),
            holdSession: watch.hold,
          }}
        >
          {children}
        </SessionProvider>
      )
  }
}

function Unreachable({ problem, onRetry }: { readonly problem: unknown; readonly onRetry: () => void }) {
  return (
    <main className="mx-auto grid max-w-md gap-4 p-8 pt-24">
      <h1 className="text-lg font-semibold">The platform cannot be reached</h1>
      <Failed failure={{ problem, retry: onRetry }} />
    </main>
  )
}
