import { useInterrupted } from '../live/use-live.ts'

export function ConnectionBanner() {
  const isInterrupted = useInterrupted()
  return (
    <div aria-live="assertive">
      {isInterrupted && (
        <p className="border-b border-warn/30 bg-warn-soft px-4 py-1.5 text-center text-warn">
          The connection to the platform is interrupted. What you see may be old; it catches up by itself.
        </p>
      )}
    </div>
  )
}
