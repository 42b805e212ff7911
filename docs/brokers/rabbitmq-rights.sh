#!/bin/sh
# Users and topic rights for RabbitMQ. The fleet is site1; a slash of MQTT is a dot here.
#   rabbitmq-rights.sh cart 7 <password>        a cart: speaks for itself, hears what is meant for it
#   rabbitmq-rights.sh gateway 1 <password>     a gateway from which the other carts are commanded; its own cart is 1
#   rabbitmq-rights.sh policy                   once for the cluster
set -eu
base='cart\.v1\.site1'
ctl=${RABBITMQCTL:-rabbitmqctl}
kind=$1

if [ "$kind" = policy ]; then
  # A subscription with QoS 1 lives on the node where it was made. Without a copy on the others, whoever was on a node
  # that is gone is turned away by those that are left, again and again.
  exec "$ctl" set_policy fleet '^mqtt-subscription-' '{"ha-mode":"all","ha-sync-mode":"automatic"}' --apply-to queues
fi

number=$2
user="$kind-$number"
says="$base\.$number\.(state|ack|connection|factsheet|visualization|sightings)"
hears="$base\.($number\.(command|heartbeat|instantActions|position)|_all\.(instantActions|command))"
if [ "$kind" = gateway ]; then
  says="$says|$base\.[^.]+\.(command|heartbeat|instantActions|position)"
  # A filter with + is asked for with *.
  hears="$base\..*"
fi

"$ctl" add_user "$user" "$3"
# Its own queues, and the exchange of all topics.
"$ctl" set_permissions "$user" '^mqtt-subscription-.*' '^(mqtt-subscription-.*|amq\.topic)$' '^(mqtt-subscription-.*|amq\.topic)$'
"$ctl" set_topic_permissions "$user" amq.topic "^($says)\$" "^($hears)\$"
