/** Why nothing inside can be shown. */
export function OfflineNote() {
  return (
    <p className="text-muted">
      The virtual cluster is not linked to the platform now, so nothing is known of what is inside. Its sync goes on
      without the platform.
    </p>
  )
}
