import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useAsked } from '../fetched/use-asked.ts'
import { Button } from '../parts/button.tsx'
import { Empty } from '../parts/empty.tsx'
import { Page } from '../parts/page.tsx'
import { Panel } from '../parts/panel.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Loading, Shown } from '../parts/shown.tsx'
import { type Authorization, askAuthorization, authorizationRequest, leaveTo } from './authorization.ts'
import { useManagement, useSession } from './session-context.tsx'

/** What each scope reveals to an application. Others reveal nothing. */
const meanings: Readonly<Record<string, string>> = {
  openid: 'who you are, by an id that stays the same',
  profile: 'your name and user name',
  email: 'your email address',
  groups: 'the teams that you are in',
  offline_access: 'all of this while you are away, too, until you sign out of the application',
}

/** The page for a user who signs in to an application with their account on the platform. */
export function AuthorizePage() {
  const request = authorizationRequest()
  return (
    <Page title="Sign in to an application">
      {request === undefined ? (
        <Empty title="No sign-in request">Start at the application that you want to sign in to.</Empty>
      ) : (
        <Asked request={request} />
      )}
    </Page>
  )
}

function Asked({ request }: { readonly request: string }) {
  const management = useManagement()
  const asked = useAsked({
    queryKey: ['authorization', request],
    queryFn: () => askAuthorization(management, request, ''),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Shown of={asked} empty="">
      {(authorization) => <Answered request={request} asked={authorization} />}
    </Shown>
  )
}

interface AnsweredProps {
  readonly request: string
  readonly asked: Authorization
}

function Answered({ request, asked }: AnsweredProps) {
  const management = useManagement()
  const deciding = useMutation({
    mutationFn: (decision: 'allow' | 'deny') => askAuthorization(management, request, decision),
    onSuccess: ({ location }) => location !== undefined && leaveTo(location),
  })
  const { mutate, error } = deciding
  const isSettled = asked.signInAgain !== true && (!asked.asksUser || asked.location !== undefined)
  useEffect(() => {
    if (isSettled) mutate('allow')
  }, [isSettled, mutate])
  if (error !== null) return <ProblemNote title="Not signed in" problem={error} />
  if (isSettled) return <Loading />
  if (asked.signInAgain === true) return <SignInAgain client={asked.client} />
  return <Question asked={asked} isBusy={deciding.isPending} onDecide={mutate} />
}

function SignInAgain({ client }: { readonly client: string }) {
  const { endSession } = useSession()
  return (
    <Panel title={client}>
      <p className="mb-3 max-w-prose">This application asks you to sign in again.</p>
      <Button tone="primary" onClick={endSession}>
        Sign in again
      </Button>
    </Panel>
  )
}

interface QuestionProps {
  readonly asked: Authorization
  readonly isBusy: boolean
  readonly onDecide: (decision: 'allow' | 'deny') => void
}

function Question({ asked: { client, user, scopes }, isBusy, onDecide }: QuestionProps) {
  return (
    <Panel title={client}>
      <p>
        {client} asks to sign you in as <strong>{user}</strong>. It will be told:
      </p>
      <ul className="my-3 list-disc pl-5">
        {scopes.map((scope) => (
          <li key={scope}>{meanings[scope] ?? scope}</li>
        ))}
      </ul>
      <p className="mb-3 max-w-prose text-muted">It can do nothing on the platform in your name.</p>
      <div className="flex flex-wrap gap-2">
        <Button tone="primary" disabled={isBusy} onClick={() => onDecide('allow')}>
          Sign in
        </Button>
        <Button disabled={isBusy} onClick={() => onDecide('deny')}>
          Cancel
        </Button>
      </div>
    </Panel>
  )
}
