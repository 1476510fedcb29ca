import { useState } from 'react'
import { itemsOf } from '../fetched/fetched.ts'
import { useAsked } from '../fetched/use-asked.ts'
import { Button } from '../parts/button.tsx'
import { ProblemNote } from '../parts/problem-note.tsx'
import { Failed } from '../parts/shown.tsx'
import { leaveToSignOn, type SignOnWay, signOnWays } from './sign-on.ts'

/** A button for each identity provider; empty if there is none. */
export function SignOnButtons() {
  const fetched = useAsked({ queryKey: ['sign-on-ways'], queryFn: signOnWays }, (ways) => ways.length === 0)
  const [problem, setProblem] = useState<unknown>()
  if (fetched.state === 'failed') return <Failed failure={fetched.failure} />
  const ways = itemsOf(fetched)
  if (ways.length === 0) return null
  const leave = ({ name }: SignOnWay) => leaveToSignOn(name).catch(setProblem)
  return (
    <div className="grid gap-2">
      {ways.map((way) => (
        <Button key={way.name} tone="primary" onClick={() => leave(way)}>
          Sign in with {way.displayName}
        </Button>
      ))}
      {problem !== undefined && <ProblemNote title="Not signed in" problem={problem} />}
      <p className="pt-2 text-xs text-muted">Or with an access key:</p>
    </div>
  )
}
