import { Switch } from 'radix-ui'

interface Props {
  label: string
  checked: boolean
  disabled?: boolean
  onChange(checked: boolean): void
}

export const Toggle = ({ label, checked, disabled = false, onChange }: Props) => (
  <Switch.Root
    aria-label={label}
    checked={checked}
    disabled={disabled}
    onCheckedChange={onChange}
    className="relative h-6 w-10 shrink-0 rounded-full border border-soft/60 bg-sunk transition-colors data-[state=checked]:border-accent data-[state=checked]:bg-accent disabled:opacity-50"
  >
    <Switch.Thumb className="block size-4 translate-x-1 rounded-full bg-soft transition-transform data-[state=checked]:translate-x-5 data-[state=checked]:bg-on-accent" />
  </Switch.Root>
)
