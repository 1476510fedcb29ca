import { type FormEvent, useState } from 'react'
import { isCode } from '../api/problem.ts'
import { Button } from '../parts/button.tsx'
import { Mark } from '../parts/mark.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { TextField } from '../parts/text-field.tsx'
import { type Session, signIn } from './session.ts'
import { SignOnButtons } from './sign-on-buttons.tsx'

interface SignInProps {
  readonly notice: string
  readonly onSignedIn: (session: Session) => void
}

export function SignIn({ notice, onSignedIn }: SignInProps) {
  const [accessKey, setAccessKey] = useState('')
  const [problem, setProblem] = useState<unknown>()
  const [isBusy, setIsBusy] = useState(false)

  const submit = (event: FormEvent) => {
    event.preventDefault()
    setIsBusy(true)
    setProblem(undefined)
    signIn(accessKey.trim())
      .then(onSignedIn, setProblem)
      .finally(() => setIsBusy(false))
  }

  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <form
        onSubmit={submit}
        className="grid w-full max-w-sm gap-5 rounded-lg border border-line bg-surface p-6 shadow-sm"
      >
        <div className="flex items-center gap-3">
          <Mark />
          <h1 className="text-lg font-semibold">Sign in to the platform</h1>
        </div>
        {notice !== '' && (
          <p role="status" className="rounded-md bg-warn-soft px-3 py-2 text-sm text-warn">
            {notice}
          </p>
        )}
        <SignOnButtons />
        {/* Password managers distinguish entries by name. */}
        <input type="text" autoComplete="username" defaultValue="platform" hidden readOnly />
        <TextField
          label="Access key"
          hint="It starts a session, and is not kept: the session ends when you sign out, and with the key."
          type="password"
          autoComplete="current-password"
          autoFocus
          value={accessKey}
          onChange={setAccessKey}
          placeholder="tpk_…"
        />
        {problem !== undefined && <Refusal problem={problem} />}
        <Button type="submit" tone="primary" disabled={isBusy || accessKey.trim() === ''}>
          {isBusy ? 'Signing in…' : 'Sign in'}
        </Button>
        <p className="text-xs leading-relaxed text-muted">
          The administrator’s key was shown when the platform was installed or first started; <code>tenant up</code>{' '}
          keeps it in <code>~/.tenant/data/admin.key</code>. More keys: <code>tenant platform keys create</code>.
        </p>
      </form>
    </main>
  )
}

/** Strangers are not told whether a key exists, so one text must do for every refused key. */
function Refusal({ problem }: { readonly problem: unknown }) {
  if (!isCode(problem, 401)) return <ProblemNote title="Not signed in" problem={problem} />
  return (
    <div role="alert" className="rounded-md border border-bad/30 bg-bad-soft px-3 py-2 text-bad">
      <p className="font-semibold">This access key is not valid</p>
      <p>
        It may be mistyped, deleted, disabled or expired: the platform does not tell which. Check that you copied all of
        it, from <code>tpk_</code> to the end. Otherwise ask the owner of the key, or an administrator, for another one.
      </p>
    </div>
  )
}
