/** Whole millionths of a currency as people write money: two places, or as many as a small amount needs to show. */
export function moneyText(millionths: number): string {
  const amount = millionths / 1_000_000
  if (millionths === 0 || Math.abs(millionths) >= 10_000) return amount.toFixed(2)
  return amount.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')
}
