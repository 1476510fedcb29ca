import { Button } from '../parts/button.tsx'
import { DiffView } from '../yaml/diff-view.tsx'

interface ConflictProps {
  readonly base: string
  readonly current: string
  readonly onRebase: () => void
  readonly onDiscard: () => void
}

/** Offers choices when another user has changed the object first. */
export function Conflict({ base, current, onRebase, onDiscard }: ConflictProps) {
  return (
    <section role="alert" className="grid gap-2 rounded-md border border-warn/30 bg-warn-soft p-3 text-warn">
      <p className="font-semibold">Another user has changed this object while you were editing.</p>
      <details>
        <summary>What they changed</summary>
        <div className="mt-2 text-text">
          <DiffView label="What others changed" before={base} after={current} />
        </div>
      </details>
      <div className="flex flex-wrap gap-2 text-text">
        <Button onClick={onRebase}>Keep my text, on top of theirs</Button>
        <Button onClick={onDiscard}>Discard mine</Button>
      </div>
    </section>
  )
}
