import { createContext, type ReactNode, use } from 'react'
import type { Management } from '../api/management.ts'
import type { Session } from './session.ts'

interface SessionContextValue {
  readonly session: Session
  readonly endSession: () => void
  /** Here, and wherever else the same user is signed in. */
  readonly endAllSessions: () => Promise<void>
  /** Keeps the page although the key in use changes. Returns a function that ends this. */
  readonly holdSession: () => () => void
}

const SessionContext = createContext<SessionContextValue | undefined>(undefined)

export function SessionProvider({
  value,
  children,
}: {
  readonly value: SessionContextValue
  readonly children: ReactNode
}) {
  return <SessionContext value={value}>{children}</SessionContext>
}

export function useSession(): SessionContextValue {
  const value = use(SessionContext)
  if (value === undefined) throw new Error('A page that needs a session was shown without one.')
  return value
}

export function useManagement(): Management {
  return useSession().session.management
}

/** Whether the session was started with this key, or is this key, so that whatever ends the key ends the session. */
export function useIsKeyInUse(name: string): boolean {
  const { key } = useSession().session
  return key?.startedWith === name || key?.name === name
}
