/* Converts the amount of a payment when its currency is changed, unless the amount was typed.

   <select id="payment-currency" data-prices="EUR=750.00|USD=825.00">   beside <input id="payment-amount"> */
"use strict";

document.addEventListener("change", ({ target }) => {
  if (target.id !== "payment-currency" || !target.dataset.prices) return;
  const prices = new Map(target.dataset.prices.split("|").map((price) => price.split("=")));
  const amount = document.getElementById("payment-amount");
  if ([...prices.values()].includes(amount.value) && prices.has(target.value)) amount.value = prices.get(target.value);
});
