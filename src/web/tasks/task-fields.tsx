import { type RefCallback, useId } from 'react'
import { useTexts } from '../texts/language.tsx'

interface Field {
  value: string
  placeholder?: string
  onChange(value: string): void
}

/** What a person may say of a task: its words, and when it runs. */
export function TaskFields({
  title,
  schedule,
  titleRef,
}: {
  title: Field
  schedule: Field
  titleRef?: RefCallback<HTMLInputElement>
}) {
  const { t } = useTexts()
  return (
    <>
      <TaskField label={t('tasks.title')} width="min-w-52 flex-[3]" inputRef={titleRef} {...title} />
      <TaskField label={t('tasks.schedule')} width="min-w-40 flex-1" {...schedule} />
    </>
  )
}

function TaskField({
  label,
  width,
  inputRef,
  value,
  placeholder,
  onChange,
}: Field & { label: string; width: string; inputRef?: RefCallback<HTMLInputElement> | undefined }) {
  const field = useId()
  return (
    <div className={width}>
      <label htmlFor={field} className="mb-1 block text-soft text-sm">
        {label}
      </label>
      <input
        id={field}
        className="field w-full"
        ref={inputRef}
        placeholder={placeholder}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}
