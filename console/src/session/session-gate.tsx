import { type ComponentProps, type ReactNode, useEffect, useState } from 'react'
import { Failed, Loading } from '../parts/shown.tsx'
import { leaveTo, silentRefusal } from './authorization.ts'
import { SessionProvider } from './session-context.tsx'
import { SignIn } from './sign-in.tsx'
import type { ReturnedCode } from './sign-on.ts'
import { useGate } from './use-gate.ts'

interface SessionGateProps {
  /** The code of a sign-in at an identity provider, from which the browser has just returned. */
  readonly returned: ReturnedCode | undefined
  readonly children: ReactNode
}

/** Shows the console to signed-in users, and the sign-in page to all others. The address stays unchanged. */
export function SessionGate({ returned, children }: SessionGateProps) {
  const { state, look, signedIn, endSession, endAllSessions, holdSession } = useGate(returned)
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
      return <Outside notice={state.notice} onSignedIn={signedIn} />
    case 'inside': {
      const { session } = state
      return (
        <SessionProvider value={{ session, endSession, endAllSessions: () => endAllSessions(session), holdSession }}>
          {children}
        </SessionProvider>
      )
    }
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
